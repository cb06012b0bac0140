#include "services/actuator/halt_latch.h"

#include <gtest/gtest.h>

#include "lib/base/id.h"

namespace da::actuator {
namespace {

class HaltLatchTest : public testing::Test {
 protected:
  ~HaltLatchTest() override { std::filesystem::remove(file_); }
  const std::filesystem::path file_ = std::filesystem::temp_directory_path() / ("da-halt-" + random_hex(6));
};

TEST_F(HaltLatchTest, SurvivesARestartUntilItIsCleared) {
  ASSERT_TRUE(HaltLatch(file_).set("stop"));
  HaltLatch restarted(file_);
  EXPECT_TRUE(restarted.is_set());
  EXPECT_EQ(restarted.reason(), "stop");
  ASSERT_TRUE(restarted.clear());
  EXPECT_FALSE(HaltLatch(file_).is_set());
}

TEST(HaltLatch, TakesEffectEvenWhereTheDiskFails) {
  HaltLatch latch("/nowhere/at/all/halted");
  EXPECT_FALSE(latch.set("stop"));
  EXPECT_TRUE(latch.is_set());
}

}  // namespace
}  // namespace da::actuator
