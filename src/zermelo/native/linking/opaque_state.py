"""A state in the IR of a kernel: a number of a width that nothing else has, until the layout of a game is known.

LLVM optimises a kernel once for all games, with such a number in place of a state. It takes structures apart, but it
loads, stores and chooses numbers whole. The linker then replaces the number by the layout of a game, in the text of the
IR. Where LLVM has done anything else with a state, the kernel must not be used.
"""

from __future__ import annotations

import re

STATE_BYTES = 7919
"""The size of the number: a prime, which no other size is a multiple of."""

OPAQUE_STATE = f"i{8 * STATE_BYTES}"
"""Its LLVM type."""

_WHOLE = re.compile(
    r"\s*(?:%\S+ = )?(?:type|alloca|load|store|select|phi|freeze|insertvalue|extractvalue|ret|call|define|declare|"
    r"tail call|musttail call|invoke)\b"
)
"""The lines of IR that may name the type: those that do not look inside."""

_SIZES = re.compile(rf"\b(?:{STATE_BYTES}|{-(-STATE_BYTES // 8) * 8}|{-(-STATE_BYTES // 16) * 16})\b")
_LIFETIME = re.compile(r"(@llvm\.lifetime\.(?:start|end)\.p0\()i64 \d+,")
_PHI = re.compile(rf"^.* = phi {OPAQUE_STATE} .*$", re.MULTILINE)


def with_unknown_lifetimes(ir: str) -> str:
    """The IR of a kernel in which no variable has a known size: LLVM 21 and older write it where one begins to live."""
    return _LIFETIME.sub(r"\1i64 -1,", ir)


def keeps_states_whole(ir: str) -> bool:
    """Whether the IR of a kernel nowhere looks inside a state, nor depends on its size.

    >>> keeps_states_whole("  %s = load i63352, ptr %p, align 16"), keeps_states_whole("  %s = trunc i63352 %t to i64")
    (True, False)
    >>> keeps_states_whole("  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 7919, i1 false)")
    False
    """
    named = (line for line in ir.splitlines() if OPAQUE_STATE in line)
    return all(_WHOLE.match(line) for line in named) and not _SIZES.search(ir)


def with_state(ir: str, state: str) -> str:
    """The IR of a kernel in which a state has this LLVM type.

    >>> with_state("  store i63352 0, ptr %p, align 16", "[2 x i64]")
    '  store [2 x i64] zeroinitializer, ptr %p, align 16'
    >>> with_state("  %s = phi i63352 [ 0, %a ], [ %t, %b ]", "[2 x i64]")
    '  %s = phi [2 x i64] [ zeroinitializer, %a ], [ %t, %b ]'
    """
    ir = _PHI.sub(lambda line: line[0].replace("[ 0,", "[ zeroinitializer,"), ir)
    return ir.replace(f"{OPAQUE_STATE} 0", f"{state} zeroinitializer").replace(OPAQUE_STATE, state)
