#include "lib/contract/task_token.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

TEST(TaskToken, NamesItsGoalAlone) {
  const std::string token = task_token("secret", "press f5");
  EXPECT_TRUE(token.starts_with("secret."));
  EXPECT_TRUE(is_for_goal(token, "press f5"));
  EXPECT_FALSE(is_for_goal(token, "press f5 "));
  EXPECT_FALSE(is_for_goal(token, ""));
  EXPECT_FALSE(is_for_goal("secret", "press f5"));
  EXPECT_FALSE(is_for_goal("", ""));
}

TEST(TaskToken, ObservationTokenDoesNotRevealTheTaskToken) {
  const std::string token = task_token("secret", "press f5");
  EXPECT_EQ(observation_token(token).size(), 64u);
  EXPECT_EQ(observation_token(token).find("secret"), std::string::npos);
  EXPECT_NE(observation_token(token), observation_token(task_token("other", "press f5")));
}

}  // namespace
}  // namespace da::contract
