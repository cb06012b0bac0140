#include "services/policy/workbench/commands.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/os/files.h"
#include "services/policy/workbench/explanation.h"
#include "services/policy/workbench/rule_cases.h"
#include "services/policy/workbench/rule_faults.h"

namespace da::policy {
namespace {

using Json = nlohmann::json;

constexpr int kWell = 0;
constexpr int kOdd = 1;
constexpr int kUnusable = 2;
constexpr std::size_t kMaxFileBytes = 4 << 20;

struct Arguments {
  std::string rules;
  std::string step;
  std::string cases;
  bool json = false;
};

void print(const Json& object) { std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n"; }

int unusable(const Error& error) {
  std::cerr << "da-policy: " << error.message << "\n";
  return kUnusable;
}

int report_problems(const std::vector<Error>& problems, bool json) {
  for (const Error& problem : problems) {
    if (json) {
      print({{"severity", "error"}, {"message", problem.message}});
    } else {
      std::cout << problem.message << "\n";
    }
  }
  return kUnusable;
}

int check(const Arguments& arguments) {
  const auto text = os::read_file(arguments.rules, kMaxFileBytes);
  if (!text) return unusable(text.error());
  if (const auto problems = Rules::problems(*text, arguments.rules); !problems.empty()) {
    return report_problems(problems, arguments.json);
  }
  const auto rules = Rules::parse(*text, arguments.rules);
  if (!rules) return unusable(rules.error());
  const auto faults = find_faults(*rules);
  for (const RuleFault& fault : faults) {
    if (arguments.json) {
      print({{"severity", "warning"}, {"line", fault.line}, {"rule", fault.rule}, {"message", fault.problem}});
    } else {
      std::cout << arguments.rules << ":" << fault.line << ": rule \"" << fault.rule << "\" " << fault.problem << "\n";
    }
  }
  if (!arguments.json) {
    std::cout << rules->all().size() << " rules, " << faults.size() << " odd; version " << rules->version() << "\n";
  }
  return faults.empty() ? kWell : kOdd;
}

Result<DescribedStep> read_step(const std::string& file) {
  ASSIGN_OR_RETURN(const auto text, os::read_file(file, kMaxFileBytes));
  const Json object = Json::parse(text, nullptr, false);
  if (object.is_discarded()) return Error{Code::kInvalidArgument, file + ": not a JSON object"};
  auto described = describe_step(object);
  if (!described) return Error{described.error().code, file + ": " + described.error().message};
  return described;
}

int explain_step(const Arguments& arguments) {
  const auto rules = Rules::load(arguments.rules);
  if (!rules) return unusable(rules.error());
  const auto described = read_step(arguments.step);
  if (!described) return unusable(described.error());
  const Explanation explanation = explain(*rules, *described);
  if (arguments.json) {
    print(to_json(explanation));
  } else {
    std::cout << to_text(explanation);
  }
  return kWell;
}

int test_cases(const Arguments& arguments) {
  const auto rules = Rules::load(arguments.rules);
  if (!rules) return unusable(rules.error());
  const auto text = os::read_file(arguments.cases, kMaxFileBytes);
  if (!text) return unusable(text.error());
  const auto cases = parse_cases(*text, arguments.cases);
  if (!cases) return unusable(cases.error());
  std::size_t failed = 0;
  for (const RuleCase& one : *cases) {
    const auto problem = failure(*rules, one);
    failed += problem ? 1 : 0;
    if (arguments.json) {
      print({{"case", one.name}, {"line", one.line}, {"holds", !problem}, {"problem", problem.value_or("")}});
    } else if (problem) {
      std::cout << arguments.cases << ":" << one.line << ": " << escape_foreign(one.name) << ": " << *problem << "\n";
    }
  }
  if (!arguments.json) std::cout << cases->size() - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? kWell : kOdd;
}

}  // namespace

bool is_workbench_command(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "rules"; }

int run_workbench(int argc, char** argv) {
  CLI::App app("Tries a rule file, without a desktop and without a service.", "da-console policy");
  app.require_subcommand(1);
  Arguments arguments;
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("FILE", arguments.rules, "the rule file (TOML)")->required();
    command->add_flag("--json", arguments.json, "for scripts; one object a line");
    return command;
  };
  CLI::App* checks = add("check", "what is wrong or odd in a rule file, with line and column");
  CLI::App* explains = add("explain", "which rules match a step, and why the others do not");
  explains->add_option("STEP", arguments.step, "the step: a JSON file, as docs/SECURITY.md shows it")->required();
  CLI::App* tests = add("test", "run a team's own cases against a rule file");
  tests->add_option("CASES", arguments.cases, "the cases (TOML), as docs/SECURITY.md shows them")->required();
  app.footer("Exit codes: 0 all is well, 1 a rule is odd or a case does not hold, 2 a file cannot be used.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kWell : kUnusable;
  }
  if (checks->parsed()) return check(arguments);
  return explains->parsed() ? explain_step(arguments) : test_cases(arguments);
}

}  // namespace da::policy
