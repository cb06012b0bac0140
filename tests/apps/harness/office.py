"""LibreOffice for a goal: a profile without first-run dialogs, and the content of its documents."""

import re
import zipfile

SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="ShowTipOfTheDay"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="FirstRun"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product"><prop oor:name="ooSetupLastVersion"><value>7.4</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product"><prop oor:name="LastTimeDonateShown"><value>4102444800</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product"><prop oor:name="LastTimeGetInvolvedShown"><value>4102444800</value></prop></item>
<item oor:path="/org.openoffice.Setup/Office"><prop oor:name="LastCompatibilityCheckID"><value>x</value></prop></item>
</oor:items>
"""


def command(case, kind):
    """Returns the command that opens a part of LibreOffice: "--writer" or "--calc"."""
    profile = case.path("office/user")
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "registrymodifications.xcu").write_text(SETTINGS)
    return ["soffice", "--norestore", "--nologo", "--nofirststartwizard",
            f"-env:UserInstallation=file://{profile.parent}",
            kind]


def content(file):
    """Returns content.xml of an ODF file."""
    with zipfile.ZipFile(file) as archive:
        return archive.read("content.xml").decode("utf-8")


def words(file):
    """Returns the words of an ODF file, without markup."""
    body = content(file).split("<office:body>")[1]
    return re.sub(r"<[^>]*>", " ", body).split()
