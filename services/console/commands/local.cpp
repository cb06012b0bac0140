// tools, doctor, and the commands of da-policy and da-planner.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/base/text.h"
#include "lib/contract/describe.h"
#include "lib/contract/goal_sentences.h"
#include "lib/os/files/memory_file.h"
#include "lib/os/process/child_process.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/given_files.h"
#include "services/console/session/run_directory.h"
#include "services/console/session/service_environment.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

constexpr Milliseconds kDoctorTimeout{30'000};
constexpr Milliseconds kDoctorTimeoutWithQuestion{90'000};

// The command line of `da-<service> doctor`.
struct Question {
  std::vector<std::string> arguments = {};
  EnvironmentChanges environment = {};
  os::UniqueFd config = {};  // Passed with --config, if there is one.
};

// The JSON lines that `da-<service> doctor` prints.
Result<std::vector<nlohmann::json>> ask_doctor(const std::string& service, const Question& question,
                                               Milliseconds timeout) {
  os::Command command{.program = service_program(service).string(),
                      .arguments = {"doctor"},
                      .environment = environment_of(service, question.environment)};
  command.arguments.insert(command.arguments.end(), question.arguments.begin(), question.arguments.end());
  if (question.config) {
    command.arguments.insert(command.arguments.end(),
                             {"--config", "/proc/self/fd/" + std::to_string(question.config.get())});
    command.inherited = {question.config.get()};
  }
  ASSIGN_OR_RETURN(const auto doctor, os::run_to_end(std::move(command), system_clock().now() + timeout));
  std::vector<nlohmann::json> checks;
  std::istringstream lines(doctor.output);
  for (std::string line; std::getline(lines, line);) {
    auto check = nlohmann::json::parse(line, nullptr, false);
    if (check.is_object()) checks.push_back(std::move(check));
  }
  return checks;
}

// The settings go into a file of its own, as in a run.
Result<Question> question_for_planner(const DoctorOptions& options) {
  Question question{.arguments = {}, .environment = options.settings.environment};
  std::vector<std::string>& arguments = question.arguments;
  const std::pair<const char*, const std::string&> flags[] = {{"--config", options.planner_config},
                                                              {"--planner", options.planner},
                                                              {"--model", options.model},
                                                              {"--base-url", options.base_url}};
  for (const auto& [flag, value] : flags) {
    if (!value.empty()) arguments.insert(arguments.end(), {flag, value});
  }
  if (options.ask) arguments.emplace_back("--ask");
  if (options.settings.planner.empty()) return question;
  std::string config = "[planner]\n";
  for (const PlannerLine& line : options.settings.planner) config += line.key + " = " + line.toml + "\n";
  ASSIGN_OR_RETURN(question.config, os::make_memory_file(config));
  return question;
}

nlohmann::json check_runs() {
  const auto directory = RunDirectory::create();
  return {
      {"name", "sockets"},
      {"ok", directory.has_value()},
      {"found", directory ? directory->path().parent_path().string() + " can hold sockets" : directory.error().message},
      {"advice", directory ? "" : "own the directory, with mode 0700, or set XDG_RUNTIME_DIR"}};
}

void print_check(const nlohmann::json& check) {
  const bool ok = check.value("ok", false);
  std::cout << (ok ? "ok       " : "PROBLEM  ") << std::left << std::setw(22)
            << escape_foreign(check.value("name", "?"), 60) << escape_foreign(check.value("found", ""), 300) << "\n";
  if (!ok) std::cout << "           do: " << escape_foreign(check.value("advice", ""), 300) << "\n";
}

}  // namespace

int list_sentences(bool markdown) {
  std::cout << (markdown ? contract::goal_sentences_markdown() : contract::goal_sentences_help()) << std::flush;
  return kDone;
}

int list_tools(ToolsFormat format) {
  if (format == ToolsFormat::kMarkdown) {
    std::cout << contract::tool_interface_markdown();
    return kDone;
  }
  const nlohmann::json catalogue = contract::catalogue_json();
  if (format == ToolsFormat::kJson) {
    std::cout << catalogue.dump(2) << "\n";
    return kDone;
  }
  for (const auto& tool : catalogue) {
    std::cout << std::left << std::setw(26) << tool["name"].get<std::string>() << std::setw(10)
              << tool["risk"].get<std::string>() << tool["summary"].get<std::string>() << "\n";
  }
  return kDone;
}

int run_service_command(const std::string& service, const std::string& word,
                        const std::vector<std::string>& arguments) {
  const std::string program = service_program(service);
  std::vector<char*> argv = {const_cast<char*>(program.c_str()), const_cast<char*>(word.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(program.c_str(), argv.data());
  std::cerr << "da-console: " << posix_error("execute " + program, errno).message << "\n";
  return kServiceLost;
}

int run_doctor(const DoctorOptions& options) {
  std::vector<nlohmann::json> checks = {check_runs()};
  for (const std::string service : {"actuator", "observer", "planner"}) {
    const bool planner = service == "planner";
    auto question = planner ? question_for_planner(options) : Result<Question>(Question());
    auto answers =
        question ? ask_doctor(service, *question, planner && options.ask ? kDoctorTimeoutWithQuestion : kDoctorTimeout)
                 : question.error();
    if (answers) {
      checks.insert(checks.end(), answers->begin(), answers->end());
    } else {
      checks.push_back({{"name", "da-" + service},
                        {"ok", false},
                        {"found", answers.error().message},
                        {"advice", "build it: deploy/run does"}});
    }
  }
  bool all = true;
  for (const auto& check : checks) {
    all = all && check.value("ok", false);
    if (options.format == Format::kJson) {
      std::cout << json_line(check) << "\n";
    } else {
      print_check(check);
    }
  }
  return all ? kDone : kTaskFailed;
}

}  // namespace da::console
