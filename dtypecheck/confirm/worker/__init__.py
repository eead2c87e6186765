"""The side that has Triton: a process that compiles slices, and launches them where there is a GPU.

It runs under any interpreter that has Triton, so it imports nothing of dtypecheck but its own modules. One
JSON request a line on standard input, one JSON answer a line on standard output.
"""
