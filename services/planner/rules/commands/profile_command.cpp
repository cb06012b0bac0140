#include "services/planner/rules/commands/profile_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/planner/rules/commands/picture_cycle.h"
#include "services/planner/rules/commands/profile_cases.h"
#include "services/planner/rules/engine/needed_models.h"
#include "services/planner/rules/profile/profile_file.h"
#include "services/planner/rules/profile/schema.h"

namespace da::planner::rules {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitProblem = 1;   // The command ran and found a problem.
constexpr int kExitUnusable = 2;  // Bad usage, or an unusable file.

struct ProfileArguments {
  std::string profile;
  std::string image;
  std::string cases;
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

int unusable(const std::string& problem) {
  std::cerr << "da-planner: " << problem << "\n";
  return kExitUnusable;
}

void print(const ProfileArguments& arguments, const std::vector<NeededModel>& models) {
  for (const NeededModel& model : models) {
    if (arguments.json) {
      print({{"model", model.name}, {"rules", model.rules}});
      continue;
    }
    std::string rules;
    for (const std::string& rule : model.rules) rules += (rules.empty() ? "" : ", ") + quote_foreign(rule);
    std::cout << "asks the model " << quote_foreign(model.name) << ": " << rules << "\n";
  }
}

int check(const ProfileArguments& arguments) {
  const auto read = load_profile(path_of(arguments.profile),
                                 {.unknown_keys = arguments.strict ? UnknownKeys::kRefuse : UnknownKeys::kWarn});
  if (!read) return unusable(read.error().message);
  for (const Problem& problem : read->problems) print(arguments, problem);
  if (!read->profile) return kExitUnusable;
  const auto models = needed_models(*read->profile, {});
  if (!models) return unusable(arguments.profile + ": " + models.error().message);
  print(arguments, *models);
  if (!arguments.json) {
    const Profile& profile = *read->profile;
    std::cout << "rules: " << profile.rules.size() << ", regions: " << profile.regions.size()
              << ", templates: " << profile.templates.size() << ", warnings: " << read->problems.size() << "\n";
  }
  return read->problems.empty() ? kExitOk : kExitProblem;
}

// The profile of a command that needs a valid one. Reports the problems of an invalid one.
std::optional<Profile> usable_profile(const ProfileArguments& arguments) {
  auto read = load_profile(path_of(arguments.profile));
  if (!read) {
    unusable(read.error().message);
    return std::nullopt;
  }
  for (const Problem& problem : read->problems) {
    if (problem.severity == Severity::kError) unusable(problem_text(arguments.profile, problem));
  }
  return std::move(read->profile);
}

int explain(const ProfileArguments& arguments) {
  const auto profile = usable_profile(arguments);
  if (!profile) return kExitUnusable;
  const auto cycle = evaluate_picture(*profile, path_of(arguments.profile), path_of(arguments.image));
  if (!cycle) return unusable(cycle.error().message);
  for (const RuleReport& report : cycle->reports) {
    if (arguments.json) {
      print(to_json(report));
    } else {
      std::cout << to_text(report);
    }
  }
  return cycle->errors.empty() ? kExitOk : kExitProblem;
}

int test_cases(const ProfileArguments& arguments) {
  const auto profile = usable_profile(arguments);
  if (!profile) return kExitUnusable;
  const auto text = os::read_file(path_of(arguments.cases));
  if (!text) return unusable(text.error().message);
  const auto cases = read_cases(*text, *profile);
  if (!cases) return unusable(arguments.cases + ": " + cases.error().message);
  std::size_t failed = 0;
  for (const ProfileCase& one : *cases) {
    const auto image = path_of(arguments.cases).parent_path() / path_of(one.image);
    const auto cycle = evaluate_picture(*profile, path_of(arguments.profile), image);
    if (!cycle) return unusable(cycle.error().message);
    const std::string failure = failure_of(one, *profile, *cycle);
    failed += failure.empty() ? 0 : 1;
    if (arguments.json) {
      print({{"case", one.name}, {"holds", failure.empty()}, {"problem", failure}});
    } else if (!failure.empty()) {
      std::cout << escape_foreign(one.name) << ": " << failure << "\n";
    }
  }
  if (!arguments.json) std::cout << cases->size() - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? kExitOk : kExitProblem;
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
  CLI::App app("Checks and tries rule profiles (docs/PROFILES.md), without a desktop and without a service.",
               "da-console profile");
  app.require_subcommand(1);
  ProfileArguments arguments;
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("PROFILE", arguments.profile, "the profile (JSON)")->required();
    command->add_flag("--json", arguments.json, "print one JSON object a line, for scripts");
    return command;
  };
  CLI::App* checks = add("check", "find errors in a profile, with their lines and columns");
  checks->add_flag("--strict", arguments.strict, "unknown keys are errors");
  CLI::App* explains = add("explain", "show which conditions hold on a picture, with measured beside expected values");
  explains->add_option("--image", arguments.image, "the picture (PNG, JPEG), as if the desktop showed it")->required();
  CLI::App* tests = add("test", "test a profile with your own cases");
  tests->add_option("CASES", arguments.cases, "the cases (JSON), as docs/PROFILES.md shows them")->required();
  CLI::App* schema = app.add_subcommand("schema", "print the format of profiles as a JSON Schema");
  schema->add_flag("--markdown", arguments.markdown, "as the tables of docs/PROFILES.md");
  app.footer(
      "Exit codes: 0 no problem, 1 warnings only, a rule with an error or a failed case, 2 bad usage or an unusable "
      "file.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  if (checks->parsed()) return check(arguments);
  if (explains->parsed()) return explain(arguments);
  return tests->parsed() ? test_cases(arguments) : show_schema(arguments);
}

}  // namespace da::planner::rules
