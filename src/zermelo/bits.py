def popcount(x):
    return x.bit_count()
