// openssl's own program, as a second opinion on what we made.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/os/child_process.h"

namespace da::test {

struct Said {
  bool well;
  std::string output;  // Its stdout.
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
