"""What runs the kernels: drivers, threads, deadlines, memory, background compilation."""
