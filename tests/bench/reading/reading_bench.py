"""Character error rate and CPU time of reading pieces of interfaces, beside tesseract's own command.

reading_bench.py PIECES READ_PIECES: PIECES is a directory of pieces.py, READ_PIECES the program of that name. Prints a
table; --json FILE writes the figures. A text counts as the distance to the part of a line that fits best; what is not
read at all counts with its whole length. An extra character is one that was read where nothing is.
"""

import argparse
import collections
import json
import pathlib
import resource
import subprocess


def distance_in(wanted, line):
    """The least edit distance between `wanted` and any part of `line`."""
    row = [0] * (len(line) + 1)
    for i, a in enumerate(wanted):
        before, row = row, [i + 1]
        for j, b in enumerate(line):
            row.append(min(before[j] + (a != b), before[j + 1] + 1, row[j] + 1))
    return min(row)


def errors(texts, lines):
    """Wrong characters, all characters, texts that are exactly right, extra characters."""
    lines = [" ".join(line.split()) for line in lines]
    wrong = sum(min([len(text)] + [distance_in(text, line) for line in lines]) for text in texts)
    right = sum(any(text in line for line in lines) for text in texts)
    extra = max(0, sum(map(len, lines)) - sum(map(len, texts)))
    return wrong, sum(map(len, texts)), right, extra


def ours(program, languages, files):
    out = subprocess.run([program, languages, *files], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        read = json.loads(line)
        yield [each["text"] for each in read["lines"]], read["cpu_s"]


def command(languages, mode, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(["tesseract", file, "-", "-l", languages, "--psm", mode], capture_output=True, text=True,
                         env={"OMP_THREAD_LIMIT": "1", "PATH": "/usr/bin:/bin"}, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out.splitlines(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def add(table, key, found, cpu_s, texts):
    for group in ("all", *key):
        row = table[group]
        for i, value in enumerate((*found, len(texts), cpu_s, 1)):
            row[i] += value


def show(name, table, group):
    wrong, characters, right, extra, texts, cpu_s, pieces = table[group]
    print(f"{name:<12} {group:<10} {pieces:>4} {100 * wrong / characters:>7.2f} % {100 * right / texts:>6.1f} % "
          f"{100 * extra / characters:>7.1f} % {1000 * cpu_s / pieces:>7.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pieces", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", help="pieces of this kind")
    parser.add_argument("--without-command", action="store_true")
    parser.add_argument("--wrong", action="store_true", help="print what was not read exactly")
    arguments = parser.parse_args()
    pieces = json.loads((arguments.pieces / "pieces.json").read_text())
    pieces = [piece for piece in pieces if piece["texts"] and arguments.only in (None, piece["kind"])]
    tables = {}
    by_language = collections.defaultdict(list)
    for piece in pieces:
        by_language[piece["language"]].append(piece)

    def note(name, piece, lines, cpu_s):
        table = tables.setdefault(name, collections.defaultdict(lambda: [0] * 7))
        key = (piece["kind"], piece["theme"], f"{piece['size']} px", piece["language"], piece["toolkit"])
        add(table, key, errors(piece["texts"], lines), cpu_s, piece["texts"])

    for language, group in sorted(by_language.items()):
        languages = language if language == "eng" else f"eng+{language}"
        raw = [str(arguments.pieces / f"{piece['number']:03}.bgra") for piece in group]
        for piece, (lines, cpu_s) in zip(group, ours(arguments.program, languages, raw)):
            note("ours", piece, lines, cpu_s)
            missing = [text for text in piece["texts"] if not any(text in line for line in lines)]
            if arguments.wrong and missing:
                print(piece["number"], piece["kind"], piece["size"], piece["theme"], piece["toolkit"], language,
                      "MISSED", missing, "READ", lines)
        if arguments.without_command:
            continue
        for piece in group:
            file = str(arguments.pieces / f"{piece['number']:03}.png")
            for mode in ("3", "11"):
                note(f"psm {mode}", piece, *command(languages, mode, file))
    print(f"{'':<12} {'':<10} {'':>4} {'wrong':>9} {'exact':>8} {'extra':>9} {'CPU':>10}")
    for group in tables["ours"]:
        for name, table in tables.items():
            show(name, table, group)
    if arguments.json:
        columns = ("wrong", "characters", "exact", "extra", "texts", "cpu_s", "pieces")
        arguments.json.write_text(json.dumps({name: {group: dict(zip(columns, row)) for group, row in table.items()}
                                              for name, table in tables.items()}, indent=1))


if __name__ == "__main__":
    main()
