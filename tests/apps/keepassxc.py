"""KeePassXC: a Qt 5 program with an own tree of stacked pages. keepassxc-cli reads what a goal left in the database."""

import subprocess

import x11
from harness import GERMAN, SCALES, Application

KEY = "pw"
app = Application("KeePassXC", "Qt 5", ["keepassxc", "keepassxc-cli"])


def cli(case, *words, answers=(KEY,)):
    """Runs keepassxc-cli on the database and returns what it printed."""
    result = subprocess.run(["keepassxc-cli", words[0], "-q", *words[1:]], input="".join(f"{one}\n" for one in answers),
                            capture_output=True, text=True, timeout=20, env=case.sandbox.environment)
    assert result.returncode == 0, f"keepassxc-cli {words[0]}: {result.stderr.strip()}"
    return result.stdout


def field(case, entry, attribute):
    return cli(case, "show", "-a", attribute, str(case.path("safe.kdbx")), entry).strip()


def locked(case):
    """Starts KeePassXC on a new database of three entries, which is locked."""
    file = str(case.path("safe.kdbx"))
    cli(case, "db-create", "-t", "100", "-p", file, answers=(KEY, KEY))
    for name, user, password in (("Mail", "ada", "first"), ("Bank", "bob", "second"), ("Shop", "cy", "third")):
        cli(case, "add", "-u", user, "-p", file, name, answers=(KEY, password))
    # Each runtime directory has a single KeePassXC.
    case.start("keepassxc", file, title=r"safe\.kdbx", XDG_RUNTIME_DIR=str(case.path("")), TMPDIR=str(case.path("")))


UNLOCK = f'type "{KEY}" into "Enter Password"; click "Unlock"; check "Mail" is visible; '


@app.goal("the database is unlocked with its password", "dialogs", "text", settings=SCALES)
def unlock(case):
    locked(case)
    case.goal(f'type "{KEY}" into "Enter Password"; click "Unlock"; check "Mail" is visible')
    case.window(r"^safe\.kdbx - KeePassXC")


@app.goal("after a wrong password no entry shows", "dialogs", "text")
def wrong(case):
    locked(case)
    case.goal('type "no" into "Enter Password"; click "Unlock"; wait for "Mail"', exit=1)
    case.window("Locked")


@app.goal("nothing of a page that does not show is clicked", "text")
def hidden_pages(case):
    locked(case)
    run = case.goal('click "KeeShare"', exit=1)
    assert any("does not show" in line for line in run.stderr), run.stderr[-3:]


@app.goal("a row's field is changed", "table cells", "text", settings=SCALES)
def edit(case):
    locked(case)
    case.goal(UNLOCK + 'click "Bank"; click "Edit Entry…"; type "robert" into "Username"; click "OK"')
    case.becomes("robert", lambda: field(case, "Bank", "UserName"), "the entry's user")
    assert field(case, "Mail", "UserName") == "ada"


@app.goal("a new entry gets title, user and password", "text", "menus")
def add(case):
    locked(case)
    case.goal(UNLOCK + 'click "Entries"; click "New Entry..."; type "Wiki" into "Title"; type "eve" into "Username"; '
              'type "s3 cret!" into "Password"; click "OK"')
    case.becomes("eve", lambda: field(case, "Wiki", "UserName"), "the entry's user")
    assert field(case, "Wiki", "Password") == "s3 cret!"


@app.goal("an entry is moved to the recycle bin", "table cells")
def delete(case):
    locked(case)
    case.goal(UNLOCK + 'click "Shop"; click "Delete Entry…"; check "Recycle Bin" is visible')
    case.becomes(lambda text: "Shop" not in text.split("Recycle Bin/")[0], lambda: cli(case, "ls", "-R", str(
        case.path("safe.kdbx"))), "Shop is in the recycle bin")


@app.goal("deleting for good is cancelled in its question, nothing is lost", "dialogs", "keyboard only")
def delete_cancelled(case):
    locked(case)
    case.goal(UNLOCK + 'click "Shop"; press delete; click "Recycle Bin"; click "Shop"; press delete; click "Cancel"; '
              'check "Shop" is visible')
    assert "Recycle Bin/\n  Shop" in cli(case, "ls", "-R", str(case.path("safe.kdbx")))


@app.goal("the context menu copies the user", "context menu", settings=SCALES)
def copy_user(case):
    locked(case)
    case.goal(UNLOCK + 'right-click "Mail"; click "Copy Username"')
    case.becomes("ada", lambda: x11.selection("clipboard"), "the clipboard")


@app.goal("a search leaves one row", "text")
def search(case):
    locked(case)
    case.goal(UNLOCK + 'press ctrl+f; type "Bank"; wait until "Mail" is not visible; click "Bank"; press ctrl+b')
    case.becomes("bob", lambda: x11.selection("clipboard"), "the clipboard")


@app.goal("a new group is made, and shows in the tree", "trees", "menus")
def group(case):
    locked(case)
    case.goal(UNLOCK + 'click "Groups"; click "New Group..."; type "Work" into "Name"; click "OK"; '
              'check "Work" is visible')
    case.becomes(lambda text: "Work/" in text, lambda: cli(case, "ls", str(case.path("safe.kdbx"))), "the group Work")


@app.goal("a check box and a spin button of the settings keep their values", "check boxes", "spin buttons")
def settings(case):
    locked(case)
    file = case.sandbox.home / "config/keepassxc/keepassxc.ini"
    case.goal(UNLOCK + 'click "Tools"; click "Settings"; click "Minimize window at application startup"; click "OK"; '
              'wait 1 seconds')
    case.becomes(lambda text: "MinimizeOnStartup=true" in text, file.read_text, "the settings file")


@app.goal("the entry's pages are chosen in a list", "tabs", "text")
def pages(case):
    locked(case)
    case.goal(UNLOCK + 'click "Mail"; press ctrl+e; click "Advanced"; check "Additional attributes" is visible; '
              'click list item "Entry"; type "new notes" into "Notes"; click "OK"')
    case.becomes("new notes", lambda: field(case, "Mail", "Notes"), "the entry's notes")


@app.goal("the database is unlocked and an entry changed, in German", "text", "dialogs", settings=(GERMAN,))
def german(case):
    locked(case)
    case.goal(f'type "{KEY}" into "Passwort eingeben"; click "Entsperren"; click "Bank"; press ctrl+e; '
              'type "jürgen" into "Benutzername"; click "OK"')
    case.becomes("jürgen", lambda: field(case, "Bank", "UserName"), "the entry's user")


@app.looked_at(window="safe.kdbx")
def looked_at(case):
    locked(case)
