"""Each test that a document names for a claim exists: in the tables of docs/SECURITY.md, and after "Tests:" in docs/*.md.

    check_claims.py ROOT
"""

import pathlib
import re
import sys

# Tables whose last column names tests, by their headings.
TABLES = ("| threat | protection | tests |", "| service | cannot | tests |")
# A file or folder in backquotes, or the name of a test.
NAMED = re.compile(r"`([^`]+)`|\b([A-Z]\w*[a-z]\w*)\b")


def claims_of_tables(document):
    """The claims and their tests: the rows of the tables."""
    for heading in TABLES:
        table = document.split(heading)[1].split("\n\n")[0]
        for line in table.splitlines()[2:]:
            *claim, tests = (cell.strip() for cell in line.strip("|").split(" | "))
            yield claim[-1], tests.strip(" |")


def claims_of_sections(document):
    """The paragraphs that begin with "Tests:", each with the heading of its section."""
    heading = ""
    for paragraph in document.split("\n\n"):
        if paragraph.startswith("#"):
            heading = paragraph.splitlines()[0].strip("# ")
        if paragraph.startswith("Tests: "):
            yield heading, paragraph.removeprefix("Tests: ").replace("\n", " ")


def claims(root):
    yield from claims_of_tables((root / "docs/SECURITY.md").read_text(encoding="utf-8"))
    for path in sorted((root / "docs").glob("*.md")):
        for heading, tests in claims_of_sections(path.read_text(encoding="utf-8")):
            yield f"{path.name}, {heading}", tests


def faults(root):
    folder = file = None
    for claim, tests in claims(root):
        if not tests:
            yield f"{claim}: no test is named, nor \"none\""
        for path, name in NAMED.findall(tests):
            if path:
                file = root / "tests" / path if "/" in path else folder / path
                folder = file if file.is_dir() else file.parent
                if not file.exists():
                    yield f"{claim}: {file} does not exist"
            elif file and file.is_file() and not re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")):
                yield f"{claim}: {file} has no test {name}"


def main():
    root = pathlib.Path(sys.argv[1])
    # SECURITY.md has two tables; the sections of the other documents are some twenty.
    if len(list(claims(root))) < 40:
        sys.exit("the claims were not found")
    found = list(faults(root))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
