#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

// The text of an edit control of another process.
std::string text_in(Stage& stage, const WindowInfo& window) {
  const auto tree = stage.desktop().ui_tree().read(window, {100, stage.deadline()});
  if (!tree) return {};
  for (const Element& element : tree->elements) {
    if (element.role == "text") return element.text;
  }
  return {};
}

// What another process gets from the clipboard.
std::string pasted_text() {
  Stage stage;
  const WindowInfo window = stage.start_target("edit");
  const std::vector<std::string> paste{"ctrl", "v"};
  EXPECT_TRUE(stage.desktop().input().chord(paste, go_on));
  EXPECT_TRUE(stage.eventually([&] { return !text_in(stage, window).empty(); }));
  return text_in(stage, window);
}

TEST(Win32ClipboardTest, PastedTextIsFetchedByTheApplication) {
  Stage stage;
  const WindowInfo window = stage.start_target("edit");
  Clipboard& clipboard = stage.desktop().clipboard();
  ASSERT_OK(clipboard.set_text("grüße 漢 😀\nsecond line"));
  const std::vector<std::string> paste{"ctrl", "v"};
  ASSERT_OK(stage.desktop().input().chord(paste, go_on));
  const auto fetched = clipboard.wait_until_fetched(stage.deadline());
  ASSERT_OK(fetched);
  EXPECT_TRUE(*fetched);
  EXPECT_TRUE(stage.eventually([&] { return text_in(stage, window) == "grüße 漢 😀\nsecond line"; }))
      << text_in(stage, window);
}

TEST(Win32ClipboardTest, TextThatNobodyPastesIsNotFetched) {
  Stage stage;
  Clipboard& clipboard = stage.desktop().clipboard();
  ASSERT_OK(clipboard.set_text("unused"));
  const auto fetched = clipboard.wait_until_fetched(system_clock().now() + Milliseconds(200));
  ASSERT_OK(fetched);
  EXPECT_FALSE(*fetched);
}

TEST(Win32ClipboardTest, EverySecondTextIsNoticedToo) {
  Stage stage;
  const WindowInfo window = stage.start_target("edit");
  Clipboard& clipboard = stage.desktop().clipboard();
  const std::vector<std::string> paste{"ctrl", "v"};
  for (const char* text : {"one ", "two ", "three"}) {
    ASSERT_OK(clipboard.set_text(text));
    ASSERT_OK(stage.desktop().input().chord(paste, go_on));
    EXPECT_TRUE(*clipboard.wait_until_fetched(stage.deadline())) << text;
  }
  EXPECT_TRUE(stage.eventually([&] { return text_in(stage, window) == "one two three"; })) << text_in(stage, window);
}

TEST(Win32ClipboardTest, ThePreviousContentIsBackAtTheEnd) {
  raw_clipboard::copy_text(L"what the person had copied 漢");
  {
    Stage stage;
    ASSERT_OK(stage.desktop().clipboard().set_text("ours"));
    ASSERT_OK(stage.desktop().clipboard().set_text("ours again"));
  }
  EXPECT_EQ(pasted_text(), "what the person had copied 漢");
}

TEST(Win32ClipboardTest, ThePreviousContentIsBackAlsoIfAClipboardManagerTookOverAText) {
  raw_clipboard::copy_text(L"before");
  {
    Stage stage;
    ASSERT_OK(stage.desktop().clipboard().set_text("ours"));
    raw_clipboard::take_over();
    ASSERT_OK(stage.desktop().clipboard().set_text("ours again"));
  }
  EXPECT_EQ(raw_clipboard::text(), L"before");
}

TEST(Win32ClipboardTest, CopyOfAPersonMeanwhileStays) {
  {
    Stage stage;
    ASSERT_OK(stage.desktop().clipboard().set_text("ours"));
    raw_clipboard::copy_text(L"newer");
  }
  EXPECT_EQ(pasted_text(), "newer");
}

}  // namespace
}  // namespace da::actuator
