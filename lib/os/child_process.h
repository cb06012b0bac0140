// A child process that is known by its process descriptor, so that no other process can be mistaken for it.
// Not thread-safe; the destructor kills and reaps a child that still runs, unless it was told to leave it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::os {

struct Command {
  std::string program;                   // Absolute path.
  std::vector<std::string> arguments;    // Without argv[0].
  std::vector<std::string> environment;  // "NAME=value".
  std::vector<int> inherited;            // Descriptors that stay open, under the same numbers.
  int output = -1;                       // Becomes its stdout; -1: it shares ours.
};

class ChildProcess {
 public:
  // A program that cannot be executed is an error here. The child is the leader of a process group of its own, so that
  // a Ctrl+C at the terminal does not reach it.
  static Result<ChildProcess> start(const Command& command);
  ChildProcess(ChildProcess&&) noexcept = default;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  // Readable once the child has ended.
  int descriptor() const { return descriptor_.get(); }

  // "exit code 1", "killed by signal 9"; nullopt where it still runs at the deadline.
  std::optional<std::string> wait(MonoTime deadline);
  // Its exit code once it has ended by itself; nullopt where a signal ended it, or it still runs.
  std::optional<int> exit_code() const { return exit_code_; }

  void send_signal(int signal);
  // It goes on when this object goes, also after this process.
  void leave_running() { descriptor_.reset(); }

 private:
  ChildProcess(pid_t pid, UniqueFd descriptor) : pid_(pid), descriptor_(std::move(descriptor)) {}

  pid_t pid_;
  UniqueFd descriptor_;
  std::optional<std::string> ended_;
  std::optional<int> exit_code_;
};

// The variables of this process, as Command.environment takes them.
std::vector<std::string> current_environment();

struct Finished {
  std::string output;            // What it printed on stdout.
  std::string ended;             // As ChildProcess::wait says it.
  std::optional<int> exit_code;  // As ChildProcess::exit_code.
};

// Runs a command (Command.output is set here) until it has ended and nobody holds its stdout any more.
// kDeadlineExceeded: it was killed.
Result<Finished> run_to_end(Command command, MonoTime deadline);

}  // namespace da::os
