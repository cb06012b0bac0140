#include "services/console/exit_codes.h"

#include <gtest/gtest.h>

#include <map>

namespace da::console {
namespace {

TEST(ExitCodes, EachEndOfATaskHasTheCodeThatTheReadmeLists) {
  const std::map<v1::TaskEnd, int> expected = {
      {v1::TASK_END_DONE, 0},         {v1::TASK_END_FAILED, 1},          {v1::TASK_END_BAD_GOAL, 2},
      {v1::TASK_END_DENIED, 3},       {v1::TASK_END_EXPIRED, 3},         {v1::TASK_END_HALTED, 4},
      {v1::TASK_END_SERVICE_LOST, 5}, {v1::TASK_END_UNKNOWN_OUTCOME, 6}, {v1::TASK_END_CANCELLED, 130}};
  for (const auto& [end, code] : expected) EXPECT_EQ(exit_code_of(end), code) << v1::TaskEnd_Name(end);
  EXPECT_EQ(static_cast<int>(expected.size()) + 1, v1::TaskEnd_descriptor()->value_count());
}

TEST(ExitCodes, UnknownEndIsAFailure) {
  EXPECT_NE(exit_code_of(v1::TASK_END_UNSPECIFIED), 0);
  EXPECT_NE(exit_code_of(static_cast<v1::TaskEnd>(99)), 0);
}

TEST(ExitCodes, LostOrHangingPeerGivesServiceLost) {
  EXPECT_EQ(exit_code_of(Error{Code::kUnavailable, ""}), 5);
  EXPECT_EQ(exit_code_of(Error{Code::kDeadlineExceeded, ""}), 5);
  EXPECT_EQ(exit_code_of(Error{Code::kInvalidArgument, ""}), 2);
}

}  // namespace
}  // namespace da::console
