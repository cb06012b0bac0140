#include "lib/os/network/wake_up.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>
#include <zmq.hpp>

namespace da::os {
namespace {

class WakeUpTest : public testing::Test {
 protected:
  bool is_readable(int within_ms) {
    std::array<zmq::pollitem_t, 1> items{{{nullptr, static_cast<zmq::fd_t>(wake_->descriptor()), ZMQ_POLLIN, 0}}};
    return zmq::poll(items.data(), items.size(), std::chrono::milliseconds(within_ms)) == 1;
  }
  const std::unique_ptr<WakeUp> wake_ = *WakeUp::open();
};

TEST_F(WakeUpTest, IsReadableBetweenNotifyAndClear) {
  EXPECT_FALSE(is_readable(0));
  wake_->notify();
  wake_->notify();
  EXPECT_TRUE(is_readable(5'000));
  EXPECT_TRUE(is_readable(0));
  wake_->clear();
  EXPECT_FALSE(is_readable(20));
}

TEST_F(WakeUpTest, WakesAThreadThatWaits) {
  std::thread waiting([this] { EXPECT_TRUE(is_readable(10'000)); });
  wake_->notify();
  waiting.join();
}

}  // namespace
}  // namespace da::os
