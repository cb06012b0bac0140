#include "services/actuator/stopping/open_tasks.h"

#include <gtest/gtest.h>

#include <future>

#include "tests/services/actuator/open_tasks_of.h"

namespace da::actuator {
namespace {

class OpenTasksTest : public testing::Test {
 protected:
  ManualClock clock_;
  OpenTasks tasks_{clock_};
};

TEST_F(OpenTasksTest, ATokenNamesItsTaskWhileTheTaskIsOpen) {
  tasks_.hear(heartbeat_of({"one", "two"}));
  EXPECT_EQ(*tasks_.await(observation_token_of("two"), ""), "two");
  EXPECT_EQ(*tasks_.await(observation_token_of("two"), "two"), "two");
  tasks_.hear(heartbeat_of({"one"}));
  EXPECT_EQ(tasks_.find(observation_token_of("two"), "").error().code, Code::kUnauthenticated);
}

TEST_F(OpenTasksTest, EmptyTokenAndDigestBelongToNoTask) {
  EXPECT_EQ(tasks_.await("", "").error().code, Code::kUnauthenticated);
  tasks_.hear(heartbeat_of({"one"}));
  EXPECT_EQ(tasks_.await("", "one").error().code, Code::kUnauthenticated);
  // The digest that the policy sends is not a token.
  EXPECT_EQ(tasks_.find(contract::observation_digest(observation_token_of("one")), "").error().code,
            Code::kUnauthenticated);
}

TEST_F(OpenTasksTest, TokenIsRefusedForAnotherTask) {
  tasks_.hear(heartbeat_of({"one", "two"}));
  EXPECT_EQ(tasks_.await(observation_token_of("one"), "two").error().code, Code::kPermissionDenied);
}

TEST_F(OpenTasksTest, UnknownTokenWaitsForTheNextHeartbeats) {
  auto found = std::async(std::launch::async, [this] { return tasks_.await(observation_token_of("one"), ""); });
  tasks_.hear(heartbeat_of({}));
  EXPECT_EQ(found.wait_for(Milliseconds(50)), std::future_status::timeout);
  tasks_.hear(heartbeat_of({"one"}));
  EXPECT_TRUE(found.get());
}

TEST_F(OpenTasksTest, NoTaskCountsAsOpenOnceThePolicyHasBeenSilentForTenSeconds) {
  tasks_.hear(heartbeat_of({"one"}));
  clock_.advance(std::chrono::seconds(10));
  EXPECT_TRUE(tasks_.find(observation_token_of("one"), ""));
  clock_.advance(std::chrono::seconds(1));
  EXPECT_EQ(tasks_.find(observation_token_of("one"), "").error().code, Code::kUnauthenticated);
}

}  // namespace
}  // namespace da::actuator
