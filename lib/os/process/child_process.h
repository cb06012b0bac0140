// A child process. It is addressed by its process descriptor, so that a reused pid cannot name another process. Not
// thread-safe. The destructor kills and reaps a running child, unless leave_running() was called.
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
  std::vector<std::string> arguments;    // Excludes argv[0].
  std::vector<std::string> environment;  // "NAME=value".
  std::vector<int> inherited;            // Descriptors that stay open in the child, with the same numbers.
  int input = -1;                        // Becomes the child's stdin; -1: the child shares ours.
  int output = -1;                       // Becomes the child's stdout; -1: the child shares ours.
  bool uses_terminal = false;            // It stays in our process group, so that it may read from our terminal.
};

class ChildProcess {
 public:
  // Fails if the program cannot be executed. The child leads its own process group, so that Ctrl+C does not
  // reach it, unless it uses the terminal.
  static Result<ChildProcess> start(const Command& command);
  ChildProcess(ChildProcess&&) noexcept = default;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  // Becomes readable when the child ends.
  int descriptor() const { return descriptor_.get(); }

  // "exit code 1", "killed by signal 9"; nullopt if it still runs at the deadline.
  std::optional<std::string> wait(MonoTime deadline);
  // The exit code; nullopt if wait() has not seen the end yet, or a signal ended the child.
  std::optional<int> exit_code() const { return exit_code_; }

  void send_signal(int signal);
  // The child outlives this object and this process.
  void leave_running() { descriptor_.reset(); }

 private:
  ChildProcess(pid_t pid, UniqueFd descriptor) : pid_(pid), descriptor_(std::move(descriptor)) {}

  pid_t pid_;
  UniqueFd descriptor_;
  std::optional<std::string> ended_;
  std::optional<int> exit_code_;
};

// The environment of this process, in the form of Command.environment.
std::vector<std::string> current_environment();

struct Finished {
  std::string output;            // What the child wrote to stdout.
  std::string ended;             // See ChildProcess::wait.
  std::optional<int> exit_code;  // See ChildProcess::exit_code.
};

// Sets Command.output. Returns when the command has ended and its stdout is closed. kDeadlineExceeded: it was killed.
Result<Finished> run_to_end(Command command, MonoTime deadline);

}  // namespace da::os
