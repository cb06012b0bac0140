#include "tests/bench/peer.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>

#include "lib/os/child_process.h"

extern char** environ;

namespace da::bench {
namespace {

constexpr Milliseconds kPatience{60'000};

}  // namespace

Result<std::string> output_of(const std::vector<std::string>& command) {
  if (::access(command.front().c_str(), X_OK) != 0) return posix_error("execute " + command.front(), errno);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return posix_error("make a pipe", errno);
  const os::UniqueFd reader(ends[0]);
  os::UniqueFd writer(ends[1]);
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) environment.emplace_back(*variable);
  ASSIGN_OR_RETURN(auto process, os::ChildProcess::start({.program = command.front(),
                                                          .arguments = {command.begin() + 1, command.end()},
                                                          .environment = environment,
                                                          .inherited = {},
                                                          .output = writer.get()}));
  writer.reset();
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(reader.get(), buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  const auto ended = process.wait(system_clock().now() + kPatience);
  if (process.exit_code() != 0) {
    return Error{Code::kUnavailable, command.front() + " failed: " + ended.value_or("it does not end")};
  }
  return output;
}

Result<std::vector<double>> run_script(const std::string& name, const std::vector<std::string>& arguments,
                                       std::size_t numbers) {
  std::vector<std::string> command{"/usr/bin/python3", std::string(DA_BENCH_PEERS) + "/" + name};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ASSIGN_OR_RETURN(const std::string output, output_of(command));
  std::istringstream words(output);
  std::vector<double> found;
  for (double number = 0; words >> number;) found.push_back(number);
  if (found.size() < numbers) return Error{Code::kUnavailable, name + " printed \"" + output + "\""};
  return found;
}

}  // namespace da::bench
