"""Checks that CTest runs each test class of the folders whose tests are registered by class: a class that is missing in
their CMakeLists.txt never runs, and nobody sees it."""

import ast
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("e2e", "attack")


def classes_of(file):
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.ClassDef) and any(
                isinstance(member, ast.FunctionDef) and member.name.startswith("test_") for member in node.body):
            yield node.name


def main():
    missing, found = [], 0
    for folder in FOLDERS:
        registered = (TESTS / folder / "CMakeLists.txt").read_text()
        for file in sorted((TESTS / folder).rglob("*_test.py")):
            for name in classes_of(file):
                found += 1
                # A loop over classes names them in a line of its own, or beside the file.
                beside = re.search(rf"\b{file.stem}\b[^)\"]*\b{name}\b", registered)
                in_loop = re.search(rf"foreach\(class\b[^)]*\b{name}\b[^)]*\)[^(]*\([\w/]*{file.stem} \$", registered)
                if not beside and not in_loop:
                    missing.append(f"{file.relative_to(TESTS)}: {name}")
    print(f"{found} classes, {len(missing)} that CTest does not run")
    print("\n".join(missing))
    return 1 if missing or found < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
