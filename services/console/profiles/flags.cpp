#include "services/console/profiles/flags.h"

#include "services/console/goal_flags.h"
#include "services/console/profiles/add.h"
#include "services/console/profiles/edit.h"

namespace da::console {
namespace {

constexpr const char* kRegionHelp =
    "  da-console add-region mail.json dialog --window 'New message'\n"
    "  da-console add-region mail.json status --rect 0,700,400,30\n"
    "  da-console add-region mail.json button --pick --window Mail\n\n"
    "With --window, the region is relative to that window and follows it; without --rect and --pick it is the whole\n"
    "window. --pick waits for two clicks on the desktop of this machine (or a drag); Escape cancels. The rest of the\n"
    "profile stays as it is, to the character.\n"
    "Exit codes: 0 added, 1 not added, such as if the name exists, 2 bad usage, 130 cancelled.";

constexpr const char* kEditHelp =
    "  da-console edit mail.json          a profile, in $VISUAL or $EDITOR; it is checked afterwards\n"
    "  da-console edit                    a new profile, in ~/.config/desktopassist/profiles\n"
    "  da-console edit ID --args JSON     a pending step; the policy judges it again\n\n"
    "The editor gets a copy, which replaces the profile when it has no errors; otherwise you are asked.\n"
    "Exit codes: 0 saved or not changed, 1 not saved, 2 bad usage.";

constexpr const char* kTemplateHelp =
    "  da-console add-template mail.json send --pick\n"
    "  da-console add-template mail.json logo --window Mail --rect 8,30,64,64\n\n"
    "Saves these pixels as a PNG file in templates/ beside the profile. The place must be visible now; choose one\n"
    "without the pointer and without a blinking cursor.\n"
    "Exit codes: 0 added, 1 not added, such as if the name exists, 2 bad usage, 5 a service could not be reached, 130\n"
    "cancelled.";

void add_place_flags(CLI::App& command, ProfileFlags& flags, const std::string& noun) {
  AddToProfileOptions& options = flags.addition;
  command.add_flag("--json", flags.json, "print one JSON object for scripts");
  command.add_option("PROFILE", options.profile, "the profile (JSON)")->required()->check(utf8_text());
  command.add_option("NAME", options.name, "name of the " + noun + " in the profile")->required()->check(utf8_text());
  auto* rect = command.add_option("--rect", options.rect, "its place, in pixels of the desktop, or of the window")
                   ->type_name("X,Y,WIDTH,HEIGHT");
  auto* window = command.add_option("--window", options.window, "a window whose title contains this")
                     ->check(utf8_text())
                     ->type_name("TITLE");
  auto* pick = command.add_flag("--pick", options.pick, "mark it with two clicks on this desktop")->excludes(rect);
  command.add_option("--comment", options.comment, "a comment for the profile")->check(utf8_text())->type_name("TEXT");
  command.add_flag("--replace", options.replace, "change the " + noun + " of this name, if there is one");
  command.callback([=] {
    if (rect->count() + window->count() + pick->count() == 0) {
      throw CLI::ValidationError("say where the " + noun + " is: --rect, --window or --pick");
    }
  });
}

void add_edit_flags(CLI::App& command, ProfileFlags& flags) {
  command.footer(kEditHelp);
  auto* edited = command.add_option("PROFILE_OR_ID", flags.edited, "a profile, or an id from `pending`");
  edited->check(utf8_text());
  auto* step = command.add_option("--args", flags.edit_arguments,
                                  "of a pending step: the new arguments as JSON, in desktop pixels");
  step->check(utf8_text())->needs(edited);
  command.add_option("--tool", flags.edit_tool, "of a pending step: the new tool")->check(known_tool())->needs(step);
}

int edit_either(const ProfileFlags& flags, const DesktopFlags& desktop) {
  if (flags.edit_arguments.empty()) return edit_profile(flags.edited);
  return edit(desktop.config, flags.edited, flags.edit_tool, flags.edit_arguments);
}

}  // namespace

void add_profile_commands(ProfileFlags& flags, const AddProfileCommand& add) {
  using Add = int (*)(const AddToProfileOptions&);
  const auto run = [&flags](Add change) {
    return [&flags, change](const DesktopFlags& desktop) {
      AddToProfileOptions options = flags.addition;
      options.config = desktop.config;
      options.backend = desktop.backend;
      options.format = flags.json ? Format::kJson : Format::kLines;
      return change(options);
    };
  };
  add("add-region", "mark a place of the desktop, and add it to a profile: `add-region --help`", run(add_region),
      [&flags](CLI::App& command) {
        command.footer(kRegionHelp);
        add_place_flags(command, flags, "region");
      });
  add("add-template", "save a picture of a place, and add it to a profile: `add-template --help`", run(add_template),
      [&flags](CLI::App& command) {
        command.footer(kTemplateHelp);
        add_place_flags(command, flags, "template");
      });
  add(
      "edit", "edit a profile, or change a pending step: `edit --help`",
      [&flags](const DesktopFlags& desktop) { return edit_either(flags, desktop); },
      [&flags](CLI::App& command) { add_edit_flags(command, flags); });
}

}  // namespace da::console
