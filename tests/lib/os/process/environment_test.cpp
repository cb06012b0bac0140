#include "lib/os/process/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::os {
namespace {

TEST(Environment, VariablesAreUtf8) {
  set_environment_variable("DA_TEST_NAME", "J\u00f6rg \u6f22");
  EXPECT_EQ(environment_variable("DA_TEST_NAME"), "J\u00f6rg \u6f22");
  EXPECT_THAT(environment_variable_names(), testing::Contains("DA_TEST_NAME"));
}

TEST(Environment, LongVariableIsReadWhole) {
  const std::string value(5'000, 'x');
  set_environment_variable("DA_TEST_LONG", value);
  EXPECT_EQ(environment_variable("DA_TEST_LONG"), value);
}

TEST(Environment, WipedVariableIsGone) {
  set_environment_variable("DA_TEST_WIPED", "secret");
  wipe_environment_variable("DA_TEST_WIPED");
  EXPECT_EQ(environment_variable("DA_TEST_WIPED"), std::nullopt);
  EXPECT_THAT(environment_variable_names(), testing::Not(testing::Contains("DA_TEST_WIPED")));
}

}  // namespace
}  // namespace da::os
