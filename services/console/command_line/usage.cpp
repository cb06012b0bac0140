#include <vector>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "services/console/command_line/goal_flags.h"

namespace da::console {
namespace {

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) names.push_back(option->get_name());
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// The innermost given command, such as `list` in `keys list`.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().back();
  return *at;
}

std::string unexpected(const CLI::App& app, const std::string& word) {
  const CLI::App& command = innermost(app);
  const bool is_flag = word.starts_with("-");
  const std::string flag = word.substr(0, word.find('='));
  std::vector<std::string> names = is_flag ? flags_of(command) : commands_of(command);
  if (is_flag && &command != &app) {
    for (std::string& name : flags_of(app)) names.push_back(std::move(name));
  }
  const std::string where = &command == &app ? "" : " of `" + command.get_name() + "`";
  const std::string what = is_flag         ? "flag" + where
                           : names.empty() ? "argument" + where
                           : where.empty() ? "command"
                                           : "command" + where;
  return "there is no " + what + " " + quote_foreign(is_flag ? flag : word, 60) +
         did_you_mean(is_flag ? flag : word, names) + "; --help lists them";
}

}  // namespace

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const auto extras = app.remaining(true);
  const int code = error.get_exit_code();
  // For a mistyped command, CLI11 may report that the command is missing.
  const bool is_unexpected =
      code == static_cast<int>(CLI::ExitCodes::ExtrasError) || code == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (is_unexpected && !extras.empty()) return unexpected(app, extras.front());
  return escape_foreign_lines(error.what(), 2000);
}

}  // namespace da::console
