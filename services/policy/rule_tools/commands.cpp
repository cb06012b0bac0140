#include "services/policy/rule_tools/commands.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/policy/rule_tools/accept_command.h"
#include "services/policy/rule_tools/exit_codes.h"
#include "services/policy/rule_tools/explanation.h"
#include "services/policy/rule_tools/judge_command.h"
#include "services/policy/rule_tools/rule_cases.h"
#include "services/policy/rule_tools/rule_faults.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxFileBytes = 4 << 20;

struct RuleArguments {
  std::string rules;
  std::string step;
  std::string cases;
  bool json = false;
};

void print(const Json& object) { std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n"; }

int report_problems(const std::vector<Error>& problems, bool json) {
  for (const Error& problem : problems) {
    if (json) {
      print({{"severity", "error"}, {"message", problem.message}});
    } else {
      std::cout << problem.message << "\n";
    }
  }
  return kExitUnusable;
}

int check(const RuleArguments& arguments) {
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
    std::cout << rules->all().size() << " rules, " << faults.size() << " questionable; version " << rules->version()
              << "\n";
  }
  return faults.empty() ? kExitOk : kExitProblem;
}

Result<DescribedStep> read_step(const std::string& file) {
  ASSIGN_OR_RETURN(const auto text, os::read_file(file, kMaxFileBytes));
  const Json object = Json::parse(text, nullptr, false);
  if (object.is_discarded()) return Error{Code::kInvalidArgument, file + ": not a JSON object"};
  auto described = describe_step(object);
  if (!described) return Error{described.error().code, file + ": " + described.error().message};
  return described;
}

int explain_step(const RuleArguments& arguments) {
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
  return kExitOk;
}

int test_cases(const RuleArguments& arguments) {
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
  return failed == 0 ? kExitOk : kExitProblem;
}

}  // namespace

int run_rules(int argc, char** argv) {
  CLI::App app("Checks and tries a rule file, without a desktop and without a service.", "da-console policy");
  app.require_subcommand(1);
  RuleArguments arguments;
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("FILE", arguments.rules, "the rule file (TOML)")->required();
    command->add_flag("--json", arguments.json, "print one JSON object a line, for scripts");
    return command;
  };
  CLI::App* checks = add("check", "find errors and questionable rules in a rule file, with their lines");
  CLI::App* explains = add("explain", "show which rules match a step, and why the others do not");
  explains->add_option("STEP", arguments.step, "the step: a JSON file, as docs/POLICY.md shows it")->required();
  CLI::App* tests = add("test", "test a rule file with your own cases");
  tests->add_option("CASES", arguments.cases, "the cases (TOML), as docs/POLICY.md shows them")->required();
  AcceptArguments accept_arguments;
  CLI::App* accepts = app.add_subcommand("accept", "show what a changed rule file changes, and put it in force");
  add_accept_flags(*accepts, accept_arguments);
  JudgeArguments judge_arguments;
  CLI::App* judges = app.add_subcommand("judge", "judge the steps of recordings again: which verdicts change?");
  add_judge_flags(*judges, judge_arguments);
  app.footer(
      "Exit codes: 0 no problem, 1 a questionable rule, a failed case or a file that was not accepted, 2 bad usage or "
      "an unusable file.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  if (judges->parsed()) return judge_recordings(judge_arguments);
  if (accepts->parsed()) return accept_rules(accept_arguments);
  if (checks->parsed()) return check(arguments);
  return explains->parsed() ? explain_step(arguments) : test_cases(arguments);
}

}  // namespace da::policy
