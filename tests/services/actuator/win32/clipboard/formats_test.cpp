// Which formats of the previous content come back after a paste, when the actuator ends by itself and when it is
// killed.
#include <gmock/gmock.h>
#include <windows.h>
// Must be included after windows.h:
#include <shlobj.h>

#include <cstring>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/clipboard/clipboard_content.h"
#include "services/actuator/desktop/win32/clipboard/opened_clipboard.h"
#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using raw_clipboard::Content;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr char kHtml[] =
    "Version:0.9\r\nStartHTML:00000097\r\nEndHTML:00000161\r\nStartFragment:00000121\r\nEndFragment:00000140\r\n"
    "<html><!--StartFragment--><b>caf\xc3\xa9 \xe6\xbc\xa2</b><!--EndFragment--></html>";
constexpr char kRtf[] = "{\\rtf1\\ansi caf\\'e9 {\\b bold}}";

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string wide(const std::wstring& text) {
  return {reinterpret_cast<const char*>(text.c_str()), (text.size() + 1) * sizeof(wchar_t)};
}

// 2 x 2 pixels, all different.
std::string dib() {
  BITMAPINFOHEADER header{};
  header.biSize = sizeof header;
  header.biWidth = 2;
  header.biHeight = 2;
  header.biPlanes = 1;
  header.biBitCount = 32;
  header.biSizeImage = 16;
  return bytes_of(header) + std::string("\x01\x02\x03\x00\x11\x12\x13\x00\x21\x22\x23\x00\x31\x32\x33\x00", 16);
}

std::string files() {
  DROPFILES header{};
  header.pFiles = sizeof header;
  header.fWide = TRUE;
  return bytes_of(header) + wide(L"C:\\windows\\win.ini") + wide(L"C:\\windows\\\u6f22.txt") + wide(L"");
}

std::string metafile() {
  const HDC drawing = ::CreateEnhMetaFileW(nullptr, nullptr, nullptr, nullptr);
  ::Rectangle(drawing, 3, 5, 70, 90);
  const HENHMETAFILE drawn = ::CloseEnhMetaFile(drawing);
  std::string bytes(::GetEnhMetaFileBits(drawn, 0, nullptr), '\0');
  ::GetEnhMetaFileBits(drawn, static_cast<UINT>(bytes.size()), reinterpret_cast<BYTE*>(bytes.data()));
  ::DeleteEnhMetaFile(drawn);
  return bytes;
}

std::vector<Content> of_a_word_processor() {
  return {{raw_clipboard::registered(L"Rich Text Format"), {kRtf, sizeof kRtf}},
          {raw_clipboard::registered(L"HTML Format"), {kHtml, sizeof kHtml - 1}},
          {raw_clipboard::registered(L"DesktopAssistTest private"), std::string("\0\x01 with \0 in it \xff", 17)},
          {CF_UNICODETEXT, wide(L"caf\u00e9 \u6f22 bold")},
          {CF_ENHMETAFILE, metafile()},
          {CF_DIB, dib()}};
}

// What xclip, a program of the X server, gets of the clipboard. Wine has no handles for such a program, and it can only
// write to files: so a last line marks its end.
std::string xclip(const Stage& stage, const std::string& target) {
  static int count = 0;
  const auto file = stage.file("xclip " + std::to_string(++count));
  SECURITY_ATTRIBUTES inherit{sizeof inherit, nullptr, TRUE};
  auto output = win32::file_handle(::CreateFileW(file.c_str(), GENERIC_WRITE, FILE_SHARE_READ, &inherit, CREATE_ALWAYS,
                                                 FILE_ATTRIBUTE_NORMAL, nullptr));
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdOutput = output.get();
  std::wstring command = win32::to_utf16("Z:\\bin\\sh -c \"timeout 5 xclip -o -selection clipboard -t " + target +
                                         "; echo END OF XCLIP\"");
  PROCESS_INFORMATION info{};
  EXPECT_TRUE(::CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup, &info));
  const win32::UniqueKernelHandle process(info.hProcess);
  const win32::UniqueKernelHandle thread(info.hThread);
  output.reset();
  constexpr std::string_view kEnd = "END OF XCLIP\n";
  std::string content;
  EXPECT_TRUE(stage.eventually([&] { return (content = read_file(file)).ends_with(kEnd); }));
  content.resize(content.size() - std::min(content.size(), kEnd.size()));
  return content;
}

enum class End { kByItself, kKilled };

class ClipboardFormats : public testing::TestWithParam<End> {
 protected:
  // An actuator offers a text, which is pasted, and ends.
  static void offer_and_end() {
    Stage stage;
    if (GetParam() == End::kByItself) {
      ASSERT_OK(stage.desktop().clipboard().set_text("ours"));
      ASSERT_EQ(raw_clipboard::text(), L"ours");
      return;
    }
    stage.let_another_drive();
    const auto victim = stage.start_beside("held_victim.exe", {stage.guardian(), "offer", "ours"});
    ASSERT_TRUE(stage.eventually([] { return raw_clipboard::text() == L"ours"; }));
    const auto process = win32::RunningProcess::open(victim, win32::start_of(victim));
    ASSERT_OK(process);
    ASSERT_OK(process->kill(stage.deadline(), system_clock()));
    ASSERT_TRUE(stage.eventually([] { return raw_clipboard::text() != L"ours"; }));
  }
};

INSTANTIATE_TEST_SUITE_P(Actuator, ClipboardFormats, testing::Values(End::kByItself, End::kKilled),
                         [](const auto& end) { return end.param == End::kKilled ? "Killed" : "EndsByItself"; });

TEST_P(ClipboardFormats, ContentOfAWordProcessorIsBackInAllFormats) {
  raw_clipboard::copy(of_a_word_processor());
  const auto before = raw_clipboard::all();
  offer_and_end();
  const auto after = raw_clipboard::all();
  for (const auto& [format, bytes] : before) {
    ASSERT_TRUE(after.contains(format)) << format;
    EXPECT_EQ(after.at(format), bytes) << "format " << format;
  }
  EXPECT_EQ(after.size(), before.size());
  EXPECT_THAT(raw_clipboard::formats(), Contains(UINT{CF_BITMAP})) << "Windows makes it from CF_DIB";
}

TEST_P(ClipboardFormats, FilesAreBack) {
  const UINT effect = raw_clipboard::registered(L"Preferred DropEffect");
  raw_clipboard::copy({{CF_HDROP, files()}, {effect, bytes_of(DWORD{2})}});
  offer_and_end();
  EXPECT_EQ(raw_clipboard::get(CF_HDROP), files());
  EXPECT_EQ(raw_clipboard::get(effect), bytes_of(DWORD{2})) << "2: a cut, which must not become a copy";
}

TEST_P(ClipboardFormats, SecretOfAPasswordManagerIsStillMarkedAsSuch) {
  const UINT mark = raw_clipboard::registered(L"ExcludeClipboardContentFromMonitorProcessing");
  raw_clipboard::copy({{CF_UNICODETEXT, wide(L"hunter2")}, {mark, std::string(1, '\0')}});
  offer_and_end();
  EXPECT_EQ(raw_clipboard::text(), L"hunter2");
  EXPECT_THAT(raw_clipboard::formats(), Contains(mark));
}

TEST_P(ClipboardFormats, FormatsThatNeedTheirOwnerAreLeftOut) {
  const UINT object = raw_clipboard::registered(L"DataObject");
  raw_clipboard::copy({{CF_UNICODETEXT, wide(L"before")},
                       {CF_PRIVATEFIRST, "number of an object"},
                       {object, bytes_of(std::uint64_t{1})}});
  offer_and_end();
  EXPECT_EQ(raw_clipboard::text(), L"before");
  EXPECT_THAT(raw_clipboard::formats(), Not(Contains(UINT{CF_PRIVATEFIRST})));
  EXPECT_THAT(raw_clipboard::formats(), Not(Contains(object)));
}

// Wine hands its clipboard to programs of the X server, and converts the formats itself.
TEST_P(ClipboardFormats, ProgramsOfTheXServerGetThePreviousContent) {
  if (::GetFileAttributesW(L"Z:\\usr\\bin\\xclip") == INVALID_FILE_ATTRIBUTES) {
    GTEST_SKIP() << "needs xclip and an X server, as under Wine";
  }
  raw_clipboard::copy(of_a_word_processor());
  offer_and_end();
  const Stage stage;
  EXPECT_TRUE(stage.eventually([&] { return xclip(stage, "UTF8_STRING") == "café 漢 bold"; }))
      << xclip(stage, "UTF8_STRING");
  EXPECT_THAT(xclip(stage, "text/html"), HasSubstr("<b>café 漢</b>")) << xclip(stage, "TARGETS");
  EXPECT_THAT(xclip(stage, "text/rtf"), HasSubstr("{\\b bold}"));
  EXPECT_THAT(xclip(stage, "image/bmp"), HasSubstr(dib().substr(sizeof(BITMAPINFOHEADER))));
}

TEST(ClipboardContent, TextThatWindowsMakesIsNotListed) {
  raw_clipboard::copy_text(L"text");
  const auto open = win32::OpenedClipboard::open(nullptr, kPatience, system_clock());
  ASSERT_OK(open);
  const auto content = win32::list_clipboard(1'000, kPatience, system_clock());
  for (const auto& item : content.items) EXPECT_THAT(item.format, testing::AnyOf(CF_UNICODETEXT, CF_LOCALE));
  EXPECT_EQ(content.left_out, 0U);
}

TEST(ClipboardContent, FormatsBeyondTheLimitAreLeftOutAndCounted) {
  const UINT large = raw_clipboard::registered(L"DesktopAssistTest large");
  raw_clipboard::copy({{large, std::string(10'000, 'x')}, {CF_UNICODETEXT, wide(L"text")}});
  const auto open = win32::OpenedClipboard::open(nullptr, kPatience, system_clock());
  ASSERT_OK(open);
  const auto content = win32::list_clipboard(1'000, kPatience, system_clock());
  EXPECT_EQ(content.left_out, 1U);
  ASSERT_FALSE(content.items.empty());
  EXPECT_EQ(content.items.front().format, UINT{CF_UNICODETEXT});
}

}  // namespace
}  // namespace da::actuator
