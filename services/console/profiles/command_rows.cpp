// The command lines of `add-region`, `add-template` and `edit`.
#include "services/console/command_line/command_table.h"
#include "services/console/profiles/add.h"
#include "services/console/profiles/edit.h"
#include "services/console/profiles/options.h"

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

void add_place_flags(CLI::App& command, CommonFlags& common, AddToProfileOptions& options, const std::string& noun) {
  add_json(command, common, "print one JSON object for scripts");
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

Command::Add addition(const char* noun, int (*add_to_profile)(const AddToProfileOptions&)) {
  return [noun, add_to_profile](CLI::App& command, CommonFlags& common) -> Command::Run {
    auto options = std::make_shared<AddToProfileOptions>();
    add_place_flags(command, common, *options, noun);
    return [&common, options, add_to_profile] {
      options->config = common.config;
      options->backend = common.backend();
      options->format = common.format();
      return add_to_profile(*options);
    };
  };
}

Command::Run add_edit(CLI::App& command, CommonFlags& common) {
  struct Edit {
    std::string what;  // A profile, or the id of a pending step.
    std::string tool;
    std::string arguments;
  };
  auto given = std::make_shared<Edit>();
  auto* what = command.add_option("PROFILE_OR_ID", given->what, "a profile, or an id from `pending`");
  what->check(utf8_text());
  auto* step =
      command.add_option("--args", given->arguments, "of a pending step: the new arguments as JSON, in desktop pixels");
  step->check(utf8_text())->needs(what);
  command.add_option("--tool", given->tool, "of a pending step: the new tool")->check(known_tool())->needs(step);
  return [&common, given] {
    if (given->arguments.empty()) return edit_profile(given->what);
    return edit(common.config, given->what, given->tool, given->arguments);
  };
}

}  // namespace

std::vector<Command> profile_commands() {
  using enum CommandGroup;
  return {{"edit", kProfiles, "edit a profile, or change a pending step", kEditHelp, add_edit},
          {"add-region", kProfiles, "mark a place of the desktop, and add it to a profile", kRegionHelp,
           addition("region", add_region)},
          {"add-template", kProfiles, "save a picture of a place, and add it to a profile", kTemplateHelp,
           addition("template", add_template)}};
}

}  // namespace da::console
