"""A GTP engine as a child process, for the scripts beside this file."""

import argparse
import os
import random
import subprocess
import sys
import time

GAMES = ["othello6", "othello8", "reversi8", "gobblet", "tiles"]
OTHER = {"black": "white", "white": "black"}


class Refused(Exception):
    """The engine answered `?`."""


class Engine:
    """Speaks to one engine. `ask` gives the body of an answer."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen(
            [program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.last_seconds = 0.0

    def ask(self, command):
        """Sends a command; `last_seconds` is then the time to its answer."""
        start = time.perf_counter()
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(f"the engine has gone, asked for `{command}`")
            line = line.rstrip("\n")
            if not line:
                break
            lines.append(line)
        self.last_seconds = time.perf_counter() - start
        sign, _, body = "\n".join(lines).partition(" ")
        if not sign.startswith("="):
            raise Refused(f"{command}: {body}")
        return body

    def legal_moves(self):
        """Empty if the game is over."""
        return self.ask("legal_moves").split()

    def play(self, move):
        """Plays for the side to move."""
        self.ask(f"play {self.ask('side_to_move')} {move}")

    def close(self):
        """Ends the engine."""
        try:
            self.ask("quit")
        except (EOFError, OSError):
            pass
        self.process.wait()


def info(text):
    """The numbers of the last `info` line of an answer, by their names."""
    lines = [line for line in text.splitlines() if line.startswith("info ")]
    words = lines[-1].split() if lines else []
    return {
        name: int(words[words.index(name) + 1])
        for name in ("depth", "nodes", "nps", "time", "hashfull")
        if name in words
    }


def random_position(engine, plies, rng):
    """A position after so many random moves from the start, in an unfinished
    game with a choice."""
    while True:
        engine.ask("clear_board")
        for _ in range(plies):
            moves = engine.legal_moves()
            if not moves:
                break
            engine.play(rng.choice(moves))
        if len(engine.legal_moves()) > 1:
            return engine.ask("get_position")


def parser(description):
    """The options every script has."""
    here = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(here, "..", "target", "release", "quadrille")
    result = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    result.add_argument("--engine", default=os.path.normpath(program), help="the program")
    result.add_argument("--games", nargs="+", default=GAMES, choices=GAMES, metavar="GAME")
    result.add_argument("--seed", type=int, default=1, help="of what is drawn by chance")
    return result


def generator(options, *more):
    """A source of chance that depends on the options alone."""
    return random.Random(" ".join(map(str, (options.seed, *more))))


def say(text):
    """Prints at once."""
    print(text)
    sys.stdout.flush()
