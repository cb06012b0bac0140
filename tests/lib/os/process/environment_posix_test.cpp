#include <gtest/gtest.h>

#include <cstdlib>

#include "lib/os/process/environment.h"

namespace da::os {
namespace {

TEST(Environment, WipedVariableIsOverwrittenInMemory) {
  set_environment_variable("DA_TEST_WIPED", "secret");
  const char* place = std::getenv("DA_TEST_WIPED");
  wipe_environment_variable("DA_TEST_WIPED");
  EXPECT_EQ(*place, '\0');  // /proc/self/environ shows this memory.
}

}  // namespace
}  // namespace da::os
