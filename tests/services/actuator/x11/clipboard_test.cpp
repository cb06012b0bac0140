#include <gtest/gtest.h>

#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

constexpr std::string_view kText = "Grüße 漢字 € 😀\n\tzweite Zeile";

std::string large_text() {
  std::string text;
  while (text.size() < 3'000'000) text += "Zeile " + std::to_string(text.size()) + " äöü\n";
  return text + "end";
}

class ClipboardTest : public ::testing::Test {
 protected:
  std::string pasted_by_xclip() {
    return session_.output_of({"xclip", "-selection", "clipboard", "-o", "-t", "UTF8_STRING"});
  }
  void copy_with_xclip(const std::string& text) {
    write_file(session_.file("copied"), text);
    // xclip goes to the background before the server has processed its claim.
    session_.run({"xclip", "-selection", "clipboard", "-i", session_.file("copied").string()});
  }

  TestSession session_{SessionBus::kWithout};
  Clipboard& clipboard_ = session_.desktop().clipboard();
};

TEST_F(ClipboardTest, AnotherApplicationReadsOurText) {
  ASSERT_OK(clipboard_.set_text(kText));
  EXPECT_FALSE(clipboard_.wait_until_fetched(system_clock().now()).value());
  EXPECT_EQ(pasted_by_xclip(), kText);
  EXPECT_TRUE(clipboard_.wait_until_fetched(session_.deadline()).value());
  ASSERT_OK(clipboard_.set_text("again"));
  EXPECT_FALSE(clipboard_.wait_until_fetched(system_clock().now()).value());
  EXPECT_EQ(pasted_by_xclip(), "again");
}

TEST_F(ClipboardTest, OurTextReplacesThatOfAnotherApplication) {
  copy_with_xclip(std::string(kText));
  ASSERT_TRUE(session_.eventually([&] { return pasted_by_xclip() == kText; }));
  ASSERT_OK(clipboard_.set_text("ours"));
  EXPECT_EQ(pasted_by_xclip(), "ours");
}

// Bug: a clipboard manager's fetch counted as that of the application that was to paste.
TEST_F(ClipboardTest, FetchOfAnotherProgramIsNoPaste) {
  session_.start("xterm -T terminal", "terminal");
  ASSERT_OK(clipboard_.set_text("ours"));
  ASSERT_OK(clipboard_.expect_paste());
  EXPECT_EQ(pasted_by_xclip(), "ours");
  EXPECT_FALSE(clipboard_.wait_until_fetched(system_clock().now() + Milliseconds(200)).value());
}

TEST_F(ClipboardTest, FetchByAChildOfTheApplicationIsAPaste) {
  const auto file = session_.file("fetched").string();
  const std::string fetch = "read line; xclip -selection clipboard -o -t UTF8_STRING > '" + file + "'; read line";
  session_.start("xterm -T terminal -e sh -c \"" + fetch + "\"", "terminal");
  ASSERT_OK(clipboard_.set_text("ours"));
  ASSERT_OK(clipboard_.expect_paste());
  const std::vector<std::string> enter{"enter"};
  EXPECT_FALSE(session_.desktop().input().tap(enter, go_on).stopped);
  EXPECT_TRUE(clipboard_.wait_until_fetched(session_.deadline()).value());
  EXPECT_TRUE(session_.eventually([&] { return read_file(file) == "ours"; }));
}

TEST_F(ClipboardTest, LargeTextsAreTransferredInPieces) {
  const std::string text = large_text();
  ASSERT_OK(clipboard_.set_text(text));
  EXPECT_EQ(pasted_by_xclip(), text);
  EXPECT_TRUE(clipboard_.wait_until_fetched(session_.deadline()).value());
}

TEST_F(ClipboardTest, WaitForFetchEndsWhenAnotherApplicationTakesTheClipboard) {
  ASSERT_OK(clipboard_.set_text("ours"));
  copy_with_xclip("theirs");
  EXPECT_FALSE(clipboard_.wait_until_fetched(session_.deadline()).value());
}

}  // namespace
}  // namespace da::actuator
