#include "lib/service/stopping/stop_request.h"

#include <gtest/gtest.h>

#include "lib/os/win32.h"

namespace da::service {
namespace {

// The process has one stop event, which stays set.
class StopRequest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Otherwise the events of this test would reach every program of the console that runs it.
    ::FreeConsole();
    ASSERT_TRUE(::AllocConsole());
    ASSERT_TRUE(prepare_service_process("stop-test"));
  }
  StopRequest() {
    EXPECT_TRUE(event_);
    EXPECT_TRUE(::ResetEvent(event_.get()));
    EXPECT_EQ(wait_for_stop(parent_, Milliseconds(0)), std::nullopt);
  }

  static std::string event_name() { return "Local\\da-stop-test-stop-" + std::to_string(::GetCurrentProcessId()); }

  const Parent parent_;
  const os::UniqueWinHandle event_ =
      os::to_handle(::OpenEventW(EVENT_MODIFY_STATE | SYNCHRONIZE, FALSE, os::wide(event_name()).c_str()));
};

TEST_F(StopRequest, TheNamedEventStopsTheService) {
  ASSERT_TRUE(::SetEvent(event_.get()));
  EXPECT_EQ(wait_for_stop(parent_, Milliseconds(10'000)), StopReason::kRequest);
}

// Wine has no Ctrl+Break.
TEST_F(StopRequest, CtrlCOfTheConsoleStopsTheService) {
  ASSERT_TRUE(::SetConsoleCtrlHandler(nullptr, FALSE)) << "a parent may have told its children to ignore it";
  ASSERT_TRUE(::GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0));
  EXPECT_EQ(wait_for_stop(parent_, Milliseconds(10'000)), StopReason::kRequest);
}

TEST_F(StopRequest, AnEventThatAnotherProgramHasMadeIsAnError) {
  const auto second = prepare_service_process("stop-test");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kAlreadyExists);
}

}  // namespace
}  // namespace da::service
