// The clipboard after TerminateProcess, which is also what the kill switch does.
#include <gmock/gmock.h>
#include <windows.h>
// Must be included after windows.h:
#include <tlhelp32.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using testing::IsEmpty;

constexpr wchar_t kOffered[] = L"what the actuator pastes";

// The long run sets DA_TRIES to more.
int tries() {
  const char* const wanted = std::getenv("DA_TRIES");
  return wanted != nullptr ? std::atoi(wanted) : 8;
}

win32::UniqueKernelHandle open_guardian_of(DWORD actuator) {
  const win32::UniqueKernelHandle processes = win32::file_handle(::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = ::Process32FirstW(processes.get(), &entry); more; more = ::Process32NextW(processes.get(), &entry)) {
    const bool child = entry.th32ParentProcessID == actuator;
    if (!child || std::wstring_view(entry.szExeFile) != L"da-guardian.exe") continue;
    return win32::UniqueKernelHandle(
        ::OpenProcess(SYNCHRONIZE | PROCESS_QUERY_INFORMATION, FALSE, entry.th32ProcessID));
  }
  return {};
}

class KilledClipboard : public testing::Test {
 protected:
  // An actuator that has offered a text for a paste, and its guardian.
  void start_victim(const std::string& offer = "offer") {
    stage_.let_another_drive();
    victim_ = stage_.start_beside("held_victim.exe", {stage_.guardian(), offer, win32::to_utf8(kOffered)});
    ASSERT_TRUE(stage_.eventually([&] { return owner() == victim_ && ::IsClipboardFormatAvailable(CF_UNICODETEXT); }));
    guardian_ = open_guardian_of(victim_);
    ASSERT_TRUE(guardian_);
  }
  void kill_victim() {
    kill(victim_);
    EXPECT_EQ(exit_code(guardian_), 0U);
  }
  // Starts an actuator that will offer a text, and end by itself or kill itself at a fault point, once the event is
  // set.
  void start_waiting_victim(const std::string& program, const std::vector<std::string>& fault_point) {
    stage_.let_another_drive();
    const std::string event = "Local\\da-test-begin-" + std::to_string(::GetCurrentProcessId());
    begin_ = win32::UniqueKernelHandle(::CreateEventA(nullptr, TRUE, FALSE, event.c_str()));
    std::vector<std::string> words{stage_.guardian(), "end", win32::to_utf8(kOffered), event};
    words.insert(words.end(), fault_point.begin(), fault_point.end());
    victim_ = stage_.start_beside(program, words);
    ASSERT_TRUE(stage_.eventually([&] { return (guardian_ = open_guardian_of(victim_)).get() != nullptr; }));
  }
  // The exit code of the victim.
  DWORD let_victim_end() {
    const win32::UniqueKernelHandle process(::OpenProcess(SYNCHRONIZE | PROCESS_QUERY_INFORMATION, FALSE, victim_));
    ::SetEvent(begin_.get());
    return exit_code(process);
  }
  void kill(DWORD pid) {
    const auto process = win32::RunningProcess::open(pid, win32::start_of(pid));
    ASSERT_OK(process);
    ASSERT_OK(process->kill(stage_.deadline(), system_clock()));
  }
  // Waits for the end of the process.
  static DWORD exit_code(const win32::UniqueKernelHandle& process) {
    EXPECT_EQ(::WaitForSingleObject(process.get(), static_cast<DWORD>(kPatience.count())), WAIT_OBJECT_0);
    DWORD code = STILL_ACTIVE;
    EXPECT_TRUE(::GetExitCodeProcess(process.get(), &code));
    return code;
  }
  static DWORD owner() {
    DWORD pid = 0;
    ::GetWindowThreadProcessId(::GetClipboardOwner(), &pid);
    return pid;
  }

  Stage stage_;
  std::uint32_t victim_ = 0;
  win32::UniqueKernelHandle guardian_;
  win32::UniqueKernelHandle begin_;
};

TEST_F(KilledClipboard, PreviousContentIsBack) {
  raw_clipboard::copy_text(L"what the person had copied 漢");
  start_victim();
  kill_victim();
  EXPECT_EQ(raw_clipboard::text(), L"what the person had copied 漢");
}

// Windows keeps a rendered text after its owner's end.
TEST_F(KilledClipboard, PreviousContentReplacesATextThatWasPasted) {
  raw_clipboard::copy_text(L"before");
  start_victim();
  ASSERT_EQ(raw_clipboard::text(), kOffered);
  kill_victim();
  EXPECT_EQ(raw_clipboard::text(), L"before");
}

TEST_F(KilledClipboard, PastedTextIsGoneWhereNothingWasBefore) {
  raw_clipboard::clear();
  start_victim();
  ASSERT_EQ(raw_clipboard::text(), kOffered);
  kill_victim();
  EXPECT_THAT(raw_clipboard::formats(), IsEmpty());
}

TEST_F(KilledClipboard, CopyOfAPersonMeanwhileStays) {
  raw_clipboard::copy_text(L"before");
  start_victim();
  raw_clipboard::copy_text(L"newer");
  kill_victim();
  EXPECT_EQ(raw_clipboard::text(), L"newer");
}

TEST_F(KilledClipboard, ClipboardThatAPersonClearedMeanwhileStaysEmpty) {
  raw_clipboard::copy_text(L"before");
  start_victim();
  raw_clipboard::clear();
  kill_victim();
  EXPECT_THAT(raw_clipboard::formats(), IsEmpty());
}

TEST_F(KilledClipboard, CopyOfTheOfferByAnotherProgramStays) {
  raw_clipboard::copy_text(L"before");
  start_victim();
  const HWND manager = ::CreateWindowExW(0, L"Static", L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, nullptr, nullptr);
  raw_clipboard::take_over(manager);
  kill_victim();
  EXPECT_EQ(raw_clipboard::text(), kOffered);
  ::DestroyWindow(manager);
}

TEST_F(KilledClipboard, PreviousContentIsBackAtANormalEndAlsoWithoutTheGuardian) {
  raw_clipboard::copy_text(L"before");
  start_waiting_victim("held_victim.exe", {});
  kill(::GetProcessId(guardian_.get()));
  EXPECT_EQ(let_victim_end(), 0U);
  EXPECT_EQ(raw_clipboard::text(), L"before");
}

// Kills at a fault point: "actuator.NAME:PASS".
class KilledClipboardAtPoint : public KilledClipboard, public testing::WithParamInterface<const char*> {};

TEST_P(KilledClipboardAtPoint, PreviousContentIsBackInAllFormats) {
  const std::wstring text = L"before 漢";
  raw_clipboard::copy({{raw_clipboard::registered(L"Rich Text Format"), "{\\rtf1 before}"},
                       {CF_UNICODETEXT, {reinterpret_cast<const char*>(text.c_str()), (text.size() + 1) * 2}},
                       {raw_clipboard::registered(L"HTML Format"), "<b>before</b>"}});
  const auto before = raw_clipboard::all();
  start_waiting_victim("faulty_victim.exe", {GetParam()});
  EXPECT_EQ(let_victim_end(), 9U) << "the victim does not pass this point";
  EXPECT_EQ(exit_code(guardian_), 0U);
  EXPECT_EQ(raw_clipboard::all(), before);
}

// The last format that is put back is CF_LOCALE, which Windows has added to the copied ones.
INSTANTIATE_TEST_SUITE_P(Points, KilledClipboardAtPoint,
                         testing::Values("actuator.clipboard_kept", "actuator.clipboard_emptied",
                                         "actuator.clipboard_marked", "actuator.clipboard_offered",
                                         "actuator.clipboard_restoring", "actuator.clipboard_restoring_a_format:1",
                                         "actuator.clipboard_restoring_a_format:2",
                                         "actuator.clipboard_restoring_a_format:3",
                                         "actuator.clipboard_restoring_a_format:4"));

// The actuator dies between any two instructions of an offer.
TEST_F(KilledClipboard, PreviousContentIsBackWheneverItIsKilled) {
  raw_clipboard::copy_text(L"before");
  std::mt19937 random(11);
  for (int tried = 0; tried < tries(); ++tried) {
    start_victim("offers");
    ::Sleep(std::uniform_int_distribution<DWORD>(0, 30)(random));
    kill_victim();
    ASSERT_EQ(raw_clipboard::text(), L"before") << "try " << tried;
  }
}

TEST_F(KilledClipboard, LastOfSeveralContentsIsBack) {
  raw_clipboard::copy_text(L"first");
  start_victim("offers");
  for (const wchar_t* text : {L"second", L"third", L"last"}) {
    raw_clipboard::copy_text(text);
    ASSERT_TRUE(stage_.eventually([&] { return owner() == victim_; })) << "the victim has ended or hangs";
  }
  kill_victim();
  EXPECT_EQ(raw_clipboard::text(), L"last");
}

TEST_F(KilledClipboard, LargeContentIsBack) {
  const UINT format = raw_clipboard::registered(L"DesktopAssistTestPicture");
  std::string large(100 << 20, '\0');
  for (std::size_t i = 0; i < large.size(); i += 4'096) large[i] = static_cast<char>(i >> 12);
  raw_clipboard::copy({{format, large}, {CF_TEXT, std::string("small\0", 6)}});
  start_victim();
  kill_victim();
  EXPECT_TRUE(raw_clipboard::get(format) == large);
  EXPECT_EQ(raw_clipboard::text(), L"small");
}

}  // namespace
}  // namespace da::actuator
