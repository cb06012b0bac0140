// Runs the openssl program, to check our output independently.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/os/process/child_process.h"

namespace da::test {

struct Said {
  bool well;
  std::string output;  // stdout.
};

inline Said openssl(std::vector<std::string> arguments) {
  const auto ended = os::run_to_end(
      {.program = "/usr/bin/openssl", .arguments = std::move(arguments), .environment = os::current_environment()},
      system_clock().now() + std::chrono::seconds(20));
  if (!ended) {
    ADD_FAILURE() << "openssl's program is needed (deploy/packages/test): " << ended.error().message;
    return {false, ""};
  }
  return {ended->exit_code == 0, ended->output};
}

}  // namespace da::test
