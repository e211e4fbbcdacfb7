"""A program that speaks UGI for Countdown, well or badly: `python fake_program.py HOW`."""

import sys
import time

how = sys.argv[1]
if how == "crash":
    sys.exit(3)
for line in sys.stdin:
    word = line.split()[0]
    if how == "silent":
        time.sleep(60)
    elif word == "ugi":
        print("id name Fake\ngreetings\nugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        moves = line.split("moves")[1].split() if "moves" in line else []
        left = 21 - sum(map(int, moves))
    elif word == "go":
        answers = {"good": left % 4 or 1, "illegal": "17", "empty": "", "binary": "\x00\x07(none)"}
        if how == "dying":
            sys.exit(9)
        if how == "long":
            sys.stdout.write("x" * 300_000)
        if how == "hanging":
            time.sleep(60)
        if how == "garbage":
            sys.stdout.write("bestmov\n\n\x00 info bestmove\n" * 50 + "BESTMOVE 1\n")
        print("info depth 1", f"bestmove {answers.get(how, '')}", sep="\n", flush=True)
    elif word == "quit":
        break
