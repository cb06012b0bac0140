// When the guardian restores a clipboard whose actuator was killed while it put the previous content back.
#include "services/actuator/desktop/win32/clipboard/kept_clipboard.h"

#include <gtest/gtest.h>

#include "services/actuator/desktop/win32/clipboard/opened_clipboard.h"
#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using raw_clipboard::Content;

// No process has it, so it is not the clipboard's owner either.
constexpr DWORD kActuator = 1;

Content unicode(const std::wstring& text) {
  return {CF_UNICODETEXT, {reinterpret_cast<const char*>(text.c_str()), (text.size() + 1) * sizeof(wchar_t)}};
}

class KeptClipboardTest : public testing::Test {
 protected:
  void keep_in_order(const std::vector<Content>& contents) {
    raw_clipboard::copy(contents);
    const auto open = win32::OpenedClipboard::open(nullptr, kPatience, system_clock());
    ASSERT_OK(open);
    ASSERT_OK(kept_.keep(win32::list_clipboard(1'000'000, kPatience, system_clock())));
  }
  bool is_restored() {
    const auto open = win32::OpenedClipboard::open(nullptr, kPatience, system_clock());
    EXPECT_TRUE(open);
    return kept_.is_still_of(kActuator);
  }

  const Content rtf_{raw_clipboard::registered(L"Rich Text Format"), "{\\rtf1 before}"};
  const Content html_{raw_clipboard::registered(L"HTML Format"), "<b>before</b>"};
  const Content text_ = unicode(L"before");
  win32::KeptClipboard kept_ = *win32::KeptClipboard::create();
};

TEST_F(KeptClipboardTest, FirstFormatsOfTheContentAreRestoredIfItWasBeingPutBack) {
  keep_in_order({rtf_, text_, html_});
  const std::vector<std::vector<Content>> parts{{rtf_}, {rtf_, text_}, {rtf_, text_, html_}, {}};
  for (const std::vector<Content>& part : parts) {
    raw_clipboard::copy(part);
    kept_.begin_restoring();
    EXPECT_TRUE(is_restored()) << part.size() << " formats";
  }
}

TEST_F(KeptClipboardTest, EqualPartIsACopyIfNothingWasBeingRestored) {
  keep_in_order({rtf_, text_, html_});
  raw_clipboard::copy({rtf_, text_});
  EXPECT_FALSE(is_restored());
  kept_.begin_exchange();
  EXPECT_FALSE(is_restored());
  kept_.end_exchange();
  EXPECT_FALSE(is_restored());
}

TEST_F(KeptClipboardTest, CopyWhileTheContentIsBeingRestoredStays) {
  keep_in_order({rtf_, text_, html_});
  const std::vector<std::vector<Content>> copies{
      {unicode(L"newer")}, {rtf_, {html_.format, "<b>newer</b>"}}, {unicode(L"before, and more")}, {html_, rtf_}};
  for (const std::vector<Content>& newer : copies) {
    raw_clipboard::copy(newer);
    kept_.begin_restoring();
    EXPECT_FALSE(is_restored()) << newer.front().bytes;
  }
}

// The text is found in it, but a format of the copy is not.
TEST_F(KeptClipboardTest, CopyOfTheSameTextWithAnotherFormatStays) {
  keep_in_order({text_});
  raw_clipboard::copy({text_, rtf_});
  kept_.begin_restoring();
  EXPECT_FALSE(is_restored());
}

TEST_F(KeptClipboardTest, FormatsThatWindowsMakesMayDiffer) {
  const DWORD locale = 0x0411;
  keep_in_order({{CF_TEXT, std::string("before\0", 7)},
                 text_,
                 {CF_LOCALE, {reinterpret_cast<const char*>(&locale), sizeof locale}}});
  raw_clipboard::copy({{CF_TEXT, std::string("before\0", 7)}});
  kept_.begin_restoring();
  EXPECT_TRUE(is_restored());
}

}  // namespace
}  // namespace da::actuator
