from numba import njit, types
from numba.extending import overload, intrinsic
from zermelo import bits
@intrinsic
def _popcount(typingctx, x):
    sig = types.int64(x)
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])
    return sig, codegen
@overload(bits.popcount)
def pc(x):
    return lambda x: _popcount(x)
