#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "lib/os/child_process.h"
#include "services/actuator/desktop/x11/posix_process.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kLimit{300};

// Whether a Python program that does this comes to sleep for at least kLimit: asked until it does, for two seconds.
bool comes_to_sleep(const std::string& program) {
  os::Command command{.program = "/usr/bin/python3", .arguments = {"-c", program}, .environment = {}};
  const auto child = os::ChildProcess::start(command);
  EXPECT_TRUE(child) << child.error().message;
  for (int i = 0; child && i < 40; ++i) {
    std::this_thread::sleep_for(Milliseconds(50));
    if (sleeps_at_least(static_cast<std::uint32_t>(child->pid()), kLimit)) return true;
  }
  return false;
}

TEST(PosixSleep, WhatWaitsWithoutATimeoutOrWithALongOneSleepsForLong) {
  EXPECT_TRUE(comes_to_sleep("import select; select.poll().poll()"));
  EXPECT_TRUE(comes_to_sleep("import select; select.poll().poll(60000)"));
  EXPECT_TRUE(comes_to_sleep("import select; select.select([], [], [], 60)"));
  EXPECT_TRUE(comes_to_sleep("import os; os.read(os.pipe()[0], 1)"));
}

TEST(PosixSleep, WhatHasATimerThatIsDueSoonDoesNot) {
  EXPECT_FALSE(comes_to_sleep("import select\nwhile True: select.poll().poll(200)"));
  EXPECT_FALSE(comes_to_sleep("import select\nwhile True: select.select([], [], [], 0.2)"));
}

TEST(PosixSleep, EachThreadCounts) {
  const std::string other = "import select, threading\ndef other():\n  while True: select.poll().poll(";
  const std::string both = ")\nthreading.Thread(target=other).start()\nselect.poll().poll()";
  EXPECT_TRUE(comes_to_sleep(other + "60000" + both));
  EXPECT_FALSE(comes_to_sleep(other + "200" + both));
}

TEST(PosixSleep, AProcessThatDoesNotExistIsNotKnownToSleep) { EXPECT_FALSE(sleeps_at_least(0x7ffffff0, kLimit)); }

TEST(PosixProcess, IsKnownByItsNumbersAlone) {
  const auto own = static_cast<std::uint32_t>(::getpid());
  EXPECT_TRUE(is_known_as(own, own));
  EXPECT_FALSE(is_known_as(own, own + 1));
  EXPECT_FALSE(is_known_as(own, 0));
  EXPECT_FALSE(is_known_as(0, 0));
  EXPECT_FALSE(is_known_as(0x7ffffff0, 1));
}

// Its file can be open then already, and can no longer be read.
TEST(PosixProcess, AProcessMayEndWhileItIsLookedAt) {
  std::atomic<std::uint32_t> pid = 0;
  const std::jthread starting([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      pid = static_cast<std::uint32_t>(child);
      ::waitpid(child, nullptr, 0);
    }
  });
  std::set<std::uint32_t> seen;
  const auto end = std::chrono::steady_clock::now() + Milliseconds(1500);
  while (std::chrono::steady_clock::now() < end)
    if (start_of(pid) != 0) seen.insert(pid);
  EXPECT_GT(seen.size(), 100U);
}

}  // namespace
}  // namespace da::actuator::x11
