// Owners of the clipboard that do not hand over their content: none of them may hang the actuator.
#include <windows.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "services/actuator/desktop/win32/clipboard/win32_clipboard.h"
#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

enum class Owner {
  kReadsNoMessages,  // Hangs.
  kRendersLate,      // Answers messages, but renders its text only when it may.
};

// Another program, in a thread with a window of its own, that has copied a text which it renders when asked.
class SlowOwner {
 public:
  explicit SlowOwner(Owner kind) : kind_(kind) {
    thread_ = std::thread([this] { run(); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return owns_; });
  }
  ~SlowOwner() {
    go_on();
    ::PostMessageW(window_, WM_CLOSE, 0, 0);
    thread_.join();
  }
  SlowOwner(const SlowOwner&) = delete;
  SlowOwner& operator=(const SlowOwner&) = delete;

  void go_on() {
    const std::lock_guard lock(mutex_);
    may_go_on_ = true;
    changed_.notify_all();
  }

 private:
  static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
    auto* owner = reinterpret_cast<SlowOwner*>(::GetWindowLongPtrW(window, GWLP_USERDATA));
    if (message == WM_RENDERFORMAT && owner != nullptr) {
      owner->wait();
      constexpr wchar_t kText[] = L"late";
      const HGLOBAL memory = ::GlobalAlloc(GMEM_MOVEABLE, sizeof kText);
      std::memcpy(::GlobalLock(memory), kText, sizeof kText);
      ::GlobalUnlock(memory);
      ::SetClipboardData(CF_UNICODETEXT, memory);
      return 0;
    }
    if (message == WM_CLOSE) ::PostQuitMessage(0);
    return ::DefWindowProcW(window, message, first, second);
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return may_go_on_; });
  }
  void run() {
    window_ = ::CreateWindowExW(0, L"Static", L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, nullptr, nullptr);
    ::SetWindowLongPtrW(window_, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(this));
    ::SetWindowLongPtrW(window_, GWLP_WNDPROC, reinterpret_cast<LONG_PTR>(on_message));
    EXPECT_TRUE(::OpenClipboard(window_));
    ::EmptyClipboard();
    ::SetClipboardData(CF_UNICODETEXT, nullptr);
    ::CloseClipboard();
    {
      const std::lock_guard lock(mutex_);
      owns_ = true;
      changed_.notify_all();
    }
    if (kind_ == Owner::kReadsNoMessages) wait();
    MSG message{};
    while (::GetMessageW(&message, nullptr, 0, 0) > 0) ::DispatchMessageW(&message);
    ::DestroyWindow(window_);
  }

  const Owner kind_;
  HWND window_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool owns_ = false;
  bool may_go_on_ = false;
  std::thread thread_;
};

std::unique_ptr<win32::Win32Clipboard> open_clipboard() {
  return *win32::Win32Clipboard::open(*win32::KeptClipboard::create(), system_clock());
}

Milliseconds since(MonoTime begun) { return std::chrono::duration_cast<Milliseconds>(system_clock().now() - begun); }

TEST(SlowClipboardOwner, HungOwnerDelaysAPasteButDoesNotPreventIt) {
  SlowOwner owner(Owner::kReadsNoMessages);
  const auto clipboard = open_clipboard();
  const MonoTime begun = system_clock().now();
  ASSERT_OK(clipboard->set_text("ours"));
  EXPECT_LT(since(begun), Milliseconds(7'500));
  EXPECT_EQ(raw_clipboard::text(), L"ours");
}

TEST(SlowClipboardOwner, OwnerThatDoesNotRenderIsAnErrorAndHangsNobody) {
  SlowOwner owner(Owner::kRendersLate);
  auto clipboard = open_clipboard();
  MonoTime begun = system_clock().now();
  const auto offered = clipboard->set_text("ours");
  ASSERT_FALSE(offered);
  EXPECT_EQ(offered.error().code, Code::kDeadlineExceeded) << offered.error().message;
  EXPECT_LT(since(begun), Milliseconds(12'000));
  begun = system_clock().now();
  clipboard.reset();
  EXPECT_LT(since(begun), Milliseconds(6'000));
  owner.go_on();
  // Its caller has been told that the paste failed.
  EXPECT_EQ(raw_clipboard::text(), L"late");
}

TEST(SlowClipboardOwner, OwnerThatRendersAfterAWhileHasItsContentBack) {
  {
    SlowOwner owner(Owner::kRendersLate);
    auto clipboard = open_clipboard();
    std::jthread later([&] {
      std::this_thread::sleep_for(Milliseconds(600));  // The slowness is what this tests.
      owner.go_on();
    });
    ASSERT_OK(clipboard->set_text("ours"));
    EXPECT_EQ(raw_clipboard::text(), L"ours");
    clipboard.reset();
    EXPECT_EQ(raw_clipboard::text(), L"late");
  }
  EXPECT_EQ(raw_clipboard::text(), L"late");
}

// A paste waits for the clipboard; a program that has it open waits for its owner.
TEST(SlowClipboardOwner, ProgramThatReadsTheLastTextIsServedWhileTheNextOneWaits) {
  const auto clipboard = open_clipboard();
  ASSERT_OK(clipboard->set_text("first"));
  const HWND reader = ::CreateWindowExW(0, L"Static", L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, nullptr, nullptr);
  ASSERT_TRUE(::OpenClipboard(reader));
  Result<void> second;
  std::thread paste([&] { second = clipboard->set_text("second"); });
  std::this_thread::sleep_for(Milliseconds(200));  // The second text now waits for the clipboard.
  const MonoTime begun = system_clock().now();
  const auto* text = static_cast<const wchar_t*>(::GlobalLock(::GetClipboardData(CF_UNICODETEXT)));
  EXPECT_LT(since(begun), Milliseconds(600));
  ASSERT_NE(text, nullptr);
  EXPECT_STREQ(text, L"first");
  ::CloseClipboard();
  paste.join();
  EXPECT_TRUE(second) << second.error().message;
  EXPECT_EQ(raw_clipboard::text(), L"second");
  ::DestroyWindow(reader);
}

}  // namespace
}  // namespace da::actuator
