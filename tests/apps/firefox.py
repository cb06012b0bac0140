"""firefox-esr on small pages. The log of the pages' server shows what a goal did."""

from harness import Application
from harness.pages import Pages
from harness.web_goals import Browser, add_goals

PREFERENCES = {
    "browser.shell.checkDefaultBrowser": "false", "browser.aboutwelcome.enabled": "false",
    "datareporting.policy.dataSubmissionEnabled": "false", "browser.startup.homepage_override.mstone": '"ignore"',
    "toolkit.telemetry.reportingpolicy.firstRun": "false", "trailhead.firstrun.didSeeAboutWelcome": "true",
    "termsofuse.bypassNotification": "true", "browser.tabs.warnOnClose": "false", "signon.rememberSignons": "false",
    "accessibility.force_disabled": "-1", "security.insecure_field_warning.contextual.enabled": "false",
}


def command(case):
    profile = case.path("profile")
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text("".join(f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items()))
    return ["firefox-esr", "--no-remote", "--profile", str(profile)]


app = Application("firefox-esr", "Gecko", ["firefox-esr"], heavy=True)
BROWSER = Browser(command, " — Mozilla Firefox", "Stay on page", "Leave page", "press enter", {"GNOME_ACCESSIBILITY": "1"})
add_goals(app, BROWSER)


@app.goal("a page is opened by a goal", "open")
def open_page(case):
    pages = Pages()
    case.closing.append(pages.close)
    case.sandbox.environment["GNOME_ACCESSIBILITY"] = "1"
    case.goal(f'open "{" ".join(command(case))} {pages.url("form.html")}"; check "Full name" is visible', seconds=90)
    case.window("Order form")


@app.goal("an address is typed into the location bar", "keyboard only", "text")
def address(case):
    pages = BROWSER.show(case, "form.html", "Order form")
    case.goal(f'press ctrl+l; type "{pages.url("table.html")}"; press enter; check window "Table" is open')
    case.window("Table")


@app.goal("a tab of the browser is opened, and the first one clicked", "tabs")
def tabs(case):
    pages = BROWSER.show(case, "form.html", "Order form")
    case.goal(f'press ctrl+t; type "{pages.url("table.html")}"; press enter; check window "Table" is open; '
              'click "Order form"; check window "Order form" is open')
    case.window("Order form")


@app.goal("the browser's menu opens its add-ons", "menus")
def menu(case):
    BROWSER.show(case, "form.html", "Order form")
    case.goal('click "Firefox"; click "Extensions and themes"; check window "Add-ons" is open')
    case.window("Add-ons")


@app.goal("a page is saved under a name", "file chooser (save)")
def save(case):
    BROWSER.show(case, "table.html", "Table")
    file = case.path("saved.html")
    case.goal(f'press ctrl+s; type "{file}" into "Name"; click "Save"', seconds=90)
    case.becomes(lambda text: "person" in text, file.read_text, "the saved page")


@app.looked_at("person 3")
def looked_at(case):
    BROWSER.show(case, "table.html", "Table")
