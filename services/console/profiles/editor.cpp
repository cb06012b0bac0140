#include "services/console/profiles/editor.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "lib/base/command_words.h"
#include "lib/base/text.h"
#include "lib/os/process/child_process.h"
#include "services/console/session/attended_child.h"

namespace da::console {
namespace {

constexpr std::chrono::hours kLongest{24 * 7};
constexpr const char* kUsualEditors[] = {"editor", "nano", "vi"};

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const auto end = std::min(path.find(':'), path.size());
    const std::filesystem::path program = std::filesystem::path(path.substr(0, end)) / name;
    std::error_code error;
    const bool is_file = program.is_absolute() && std::filesystem::is_regular_file(program, error);
    if (is_file && ::access(program.c_str(), X_OK) == 0) return program.string();
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

sigset_t signals_of(std::initializer_list<int> numbers) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : numbers) sigaddset(&signals, number);
  return signals;
}

// Ctrl+C in the editor also came to this process.
void forget_interrupts() {
  const sigset_t interrupt = signals_of({SIGINT});
  const timespec now{};
  while (::sigtimedwait(&interrupt, nullptr, &now) == SIGINT) {
  }
}

}  // namespace

Result<std::vector<std::string>> editor_command() {
  for (const char* variable : {"VISUAL", "EDITOR"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || trim(value).empty()) continue;
    auto words = split_words(value);
    if (!words) return Error{words.error().code, std::string("$") + variable + ": " + words.error().message};
    const auto program = find_program(words->front());
    if (!program) {
      return Error{Code::kNotFound, std::string("the editor in $") + variable + ", " + quote_foreign(words->front()) +
                                        ", is not installed"};
    }
    words->front() = *program;
    return words;
  }
  for (const char* name : kUsualEditors) {
    if (const auto program = find_program(name)) return std::vector<std::string>{*program};
  }
  return Error{Code::kNotFound, "no editor was found: set $EDITOR, such as EDITOR=nano"};
}

Result<void> run_editor(const std::vector<std::string>& command, const std::filesystem::path& file) {
  std::vector<std::string> arguments(command.begin() + 1, command.end());
  arguments.push_back(std::filesystem::absolute(file).string());
  ASSIGN_OR_RETURN(auto child, os::ChildProcess::start({.program = command.front(),
                                                        .arguments = std::move(arguments),
                                                        .environment = os::current_environment(),
                                                        .uses_terminal = true}));
  const auto ended = attend(child, signals_of({SIGTERM, SIGHUP}), system_clock().now() + kLongest);
  forget_interrupts();
  if (!ended) return ended.error();
  if (child.exit_code() == 0) return ok();
  return Error{Code::kAborted, "the editor " + quote_foreign(command.front()) + " ended with " + *ended};
}

}  // namespace da::console
