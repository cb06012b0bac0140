#include "services/policy/rule_tools/accept_command.h"

#include <unistd.h>

#include <dtl/dtl.hpp>
#include <iostream>
#include <sstream>
#include <vector>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/process/local_person.h"
#include "services/policy/rule_file/accepted_rules.h"
#include "services/policy/rule_tools/exit_codes.h"
#include "services/policy/second_factor/second_factor.h"

namespace da::policy {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream input{std::string(text)};
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

// Prints what `diff -u` would. A program may have written the file, so its control characters are printed as escapes.
void show_difference(std::string_view before, std::string_view now) {
  dtl::Diff<std::string> difference(lines_of(before), lines_of(now));
  difference.onHuge();
  difference.compose();
  difference.composeUnifiedHunks();
  std::ostringstream unified;
  difference.printUnifiedFormat(unified);
  for (const std::string& line : lines_of(unified.str())) std::cout << escape_foreign(line) << "\n";
}

int refuse_to_accept(const std::string& why) {
  std::cerr << "da-policy: not accepted: " << why << "\n";
  return kExitProblem;
}

std::optional<std::string> asked_on_terminal(const std::string& question) {
  if (::isatty(STDIN_FILENO) == 0) return std::nullopt;
  std::cout << question << std::flush;
  std::string answer;
  if (!std::getline(std::cin, answer)) return std::nullopt;
  return std::string(trim(answer));
}

// Why the person has not confirmed; nullopt if the person has.
std::optional<std::string> objection(const AcceptArguments& arguments, const std::string& version) {
  if (!arguments.version.empty()) {
    if (arguments.version == version) return std::nullopt;
    return "the file's version is " + version + ", not " + escape_foreign(arguments.version, 100);
  }
  const auto answer = asked_on_terminal("Put this in force? Type yes: ");
  if (!answer) return "stdin is no terminal; to accept without a question: --version " + version;
  if (*answer != "yes") return "you did not type yes";
  return std::nullopt;
}

Result<void> check_second_factor(const AcceptArguments& arguments) {
  SecondFactor factor(arguments.second_factor, system_clock());
  ASSIGN_OR_RETURN(const bool enrolled, factor.enrolled());
  if (!enrolled) return ok();
  std::string code = arguments.code;
  if (code.empty()) code = asked_on_terminal("The code of " + arguments.person + ": ").value_or("");
  return factor.check(arguments.person, code);
}

}  // namespace

void add_accept_flags(CLI::App& command, AcceptArguments& arguments) {
  const std::filesystem::path state = os::state_directory() / "policy";
  arguments.state = state.string();
  arguments.second_factor = (state / "second-factor").string();
  arguments.person = os::local_person();
  command.add_option("FILE", arguments.rule_file, "the rule file, as the policy or --rules names it")->required();
  command.add_option("--state", arguments.state, "the policy's setting policy.state")->capture_default_str();
  command.add_option("--second-factor", arguments.second_factor, "the policy's setting policy.second_factor")
      ->capture_default_str();
  command.add_option("--as", arguments.person, "the person whose code is asked for")->capture_default_str();
  command.add_option("--version", arguments.version,
                     "accept the file without a question if it has this version (BLAKE2b-256, hexadecimal)");
  command.add_option("--code", arguments.code, "the code of the second factor");
}

int accept_rules(const AcceptArguments& arguments) {
  const auto rules = Rules::load(arguments.rule_file);
  if (!rules) return unusable(rules.error());
  const AcceptedRules accepted(arguments.state, arguments.rule_file);
  const auto before = accepted.read();
  if (!before) return unusable(before.error());
  if (*before && **before == rules->toml()) {
    std::cout << "accepted already: version " << rules->version() << "\n";
    return kExitOk;
  }
  show_difference(before->value_or(""), rules->toml());
  std::cout << rules->all().size() << " rules; version " << rules->version() << "\n";
  if (const auto why = objection(arguments, rules->version())) return refuse_to_accept(*why);
  if (const auto confirmed = check_second_factor(arguments); !confirmed) {
    return refuse_to_accept(confirmed.error().message);
  }
  if (const auto stored = accepted.accept(rules->toml()); !stored) return unusable(stored.error());
  std::cout << "Accepted. A policy that runs puts the file in force now; its open tasks keep their rules where those "
               "are stricter.\n";
  return kExitOk;
}

}  // namespace da::policy
