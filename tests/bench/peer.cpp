#include "tests/bench/peer.h"

#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "lib/os/process/child_process.h"

namespace da::bench {
namespace {

constexpr Milliseconds kWindowTimeout{60'000};

}  // namespace

Result<std::string> output_of(const std::vector<std::string>& command) {
  if (::access(command.front().c_str(), X_OK) != 0) return posix_error("execute " + command.front(), errno);
  ASSIGN_OR_RETURN(auto run, os::run_to_end({.program = command.front(),
                                             .arguments = {command.begin() + 1, command.end()},
                                             .environment = os::current_environment()},
                                            system_clock().now() + kWindowTimeout));
  if (run.exit_code != 0) return Error{Code::kUnavailable, command.front() + " failed: " + run.ended};
  return std::move(run.output);
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
