#include <gmock/gmock.h>

#include <array>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class ClipboardContract : public ContractTest {
 protected:
  void paste() {
    const std::array keys{std::string("ctrl"), std::string("v")};
    ASSERT_DONE(desktop_.input().chord(keys, go_on));
  }

  Clipboard& clipboard_ = desktop_.clipboard();
};

TEST_F(ClipboardContract, PastedTextArrivesAndCountsAsFetched) {
  const std::string text = "two\nlines, Grüße, \u6f22\u5b57 and \U0001f600";
  ASSERT_DONE(clipboard_.set_text(text));
  ASSERT_DONE(clipboard_.expect_paste());
  paste();
  const auto fetched = clipboard_.wait_until_fetched(stage_->deadline());
  ASSERT_DONE(fetched);
  EXPECT_TRUE(*fetched);
  EXPECT_TRUE(stage_->eventually([&] { return stage_->text("Target") == text; })) << stage_->text("Target");
}

TEST_F(ClipboardContract, TextThatNobodyFetchesIsNotFetchedAtTheDeadline) {
  ASSERT_DONE(clipboard_.set_text("unread"));
  constexpr Milliseconds kPatience{150};
  const MonoTime begun = system_clock().now();
  const auto fetched = clipboard_.wait_until_fetched(begun + kPatience);
  ASSERT_DONE(fetched);
  EXPECT_FALSE(*fetched);
  EXPECT_GE(system_clock().now() - begun, kPatience);
}

TEST_F(ClipboardContract, EmptyTextReplacesAnEarlierOne) {
  ASSERT_DONE(clipboard_.set_text("earlier"));
  ASSERT_DONE(clipboard_.set_text(""));
  paste();
  ASSERT_EQ(desktop_.input().type(U"after", Milliseconds(0), go_on).done, 5U);
  EXPECT_TRUE(stage_->eventually([&] { return stage_->text("Target") == "after"; })) << stage_->text("Target");
}

}  // namespace
}  // namespace da::actuator::contract
