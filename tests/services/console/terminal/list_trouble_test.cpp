#include "services/console/terminal/questions/list_trouble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::console {
namespace {

using testing::HasSubstr;

const Error kTooLarge{Code::kResourceExhausted, "the message is larger than 4194304 bytes\x1b"};
const Error kGone{Code::kUnavailable, "da-policy cannot be reached"};

// Bug: there was no message, and the person waited for a question that never appeared.
TEST(ListTrouble, ErrorAndRecoveryAreReportedOnce) {
  const ManualClock clock;
  ListTrouble trouble(clock);
  EXPECT_THAT(trouble.failed(kTooLarge), HasSubstr("retrying: the message is larger than 4194304 bytes\\x1b"));
  EXPECT_EQ(trouble.failed(kTooLarge), "");
  EXPECT_THAT(trouble.failed({Code::kDeadlineExceeded, "no answer"}), HasSubstr("no answer"));
  EXPECT_THAT(trouble.worked(), HasSubstr("can be listed again"));
  EXPECT_EQ(trouble.worked(), "");
  EXPECT_THAT(trouble.failed(kTooLarge), HasSubstr("larger")) << "it is a new one";
}

TEST(ListTrouble, ShortConnectionLossIsNotReported) {
  ManualClock clock;
  ListTrouble trouble(clock);
  EXPECT_EQ(trouble.failed(kGone), "");
  EXPECT_EQ(trouble.worked(), "");
  EXPECT_EQ(trouble.failed(kGone), "");
  clock.advance(ListTrouble::kConnectionGone);
  EXPECT_THAT(trouble.failed(kGone), HasSubstr("cannot be reached"));
}

}  // namespace
}  // namespace da::console
