"""Keep Numba from importing SciPy before a rule needs it.

Numba imports `scipy.linalg` as soon as it compiles anything, to know whether `@` and `np.dot` can be compiled. Where
SciPy is installed they can. The import took half of the time from Numba's import to the first rule, and hardly any
rule multiplies matrices. One that does has SciPy imported when it is compiled.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from numba.np import linalg


def postpone_import() -> None:
    """Import Numba's array functions without SciPy, unless they or SciPy are imported."""
    imported = {"numba.np.arraymath", "scipy.linalg"} & {*sys.modules}
    if imported or find_spec("scipy") is None or not hasattr(linalg, "ensure_blas"):
        return
    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = ensure_blas
    arraymath.ensure_blas = ensure_blas


postpone_import()
