#include "services/planner/rules/commands/profile_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "lib/base/path_text.h"
#include "services/planner/rules/profile/profile_file.h"
#include "services/planner/rules/profile/schema.h"

namespace da::planner::rules {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitProblem = 1;   // The command ran and found a problem.
constexpr int kExitUnusable = 2;  // Bad usage, or an unusable file.

struct ProfileArguments {
  std::string profile;
  bool strict = false;
  bool json = false;
  bool markdown = false;
};

void print(const Document& object) {
  std::cout << object.dump(-1, ' ', false, Document::error_handler_t::replace) << "\n";
}

void print(const ProfileArguments& arguments, const Problem& problem) {
  if (arguments.json) {
    print({{"severity", problem.severity == Severity::kError ? "error" : "warning"},
           {"line", problem.place.line},
           {"column", problem.place.column},
           {"message", problem.message}});
  } else {
    std::cout << problem_text(arguments.profile, problem) << "\n";
  }
}

int check(const ProfileArguments& arguments) {
  const auto read = load_profile(path_of(arguments.profile),
                                 {.unknown_keys = arguments.strict ? UnknownKeys::kRefuse : UnknownKeys::kWarn});
  if (!read) {
    std::cerr << "da-planner: " << read.error().message << "\n";
    return kExitUnusable;
  }
  for (const Problem& problem : read->problems) print(arguments, problem);
  if (!read->profile) return kExitUnusable;
  if (!arguments.json) {
    const Profile& profile = *read->profile;
    std::cout << profile.rules.size() << " rules, " << profile.regions.size() << " regions, "
              << profile.templates.size() << " templates, " << read->problems.size() << " warnings\n";
  }
  return read->problems.empty() ? kExitOk : kExitProblem;
}

int show_schema(const ProfileArguments& arguments) {
  if (arguments.markdown) {
    std::cout << parameter_tables();
  } else {
    std::cout << profile_schema().dump(2) << "\n";
  }
  return kExitOk;
}

}  // namespace

bool is_profile_command(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "profile"; }

int run_profile_command(int argc, char** argv) {
  CLI::App app("Checks rule profiles (docs/PROFILES.md), without a desktop and without a service.",
               "da-console profile");
  app.require_subcommand(1);
  ProfileArguments arguments;
  CLI::App* checks = app.add_subcommand("check", "find errors in a profile, with their lines and columns");
  checks->add_option("PROFILE", arguments.profile, "the profile (JSON)")->required();
  checks->add_flag("--strict", arguments.strict, "unknown keys are errors");
  checks->add_flag("--json", arguments.json, "print one JSON object a line, for scripts");
  CLI::App* schema = app.add_subcommand("schema", "print the format of profiles as a JSON Schema");
  schema->add_flag("--markdown", arguments.markdown, "as the tables of docs/PROFILES.md");
  app.footer("Exit codes: 0 no problem, 1 warnings only, 2 bad usage or an unusable file.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  return checks->parsed() ? check(arguments) : show_schema(arguments);
}

}  // namespace da::planner::rules
