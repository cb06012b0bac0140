// Owners of the clipboard that do not hand over their content: none of them may hang the actuator.
#include <windows.h>

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "services/actuator/desktop/win32/clipboard/win32_clipboard.h"
#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

// Limit of the policy for an action (time_limit.cpp).
constexpr Milliseconds kPolicyGivesUp{30'000};

enum class Owner {
  kReadsNoMessages,  // Hangs. Would render its text when asked.
  kBusy,             // The same, but has rendered its text already.
  kRendersLate,      // Answers messages, but renders its text only when it may.
};

// Another program, in a thread with a window of its own, that has copied a text.
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
  // Waits until somebody waits for this program: for an answer to a message, or for its text.
  bool wait_until_asked() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [this] { return asked_; });
  }

 private:
  static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
    auto* owner = reinterpret_cast<SlowOwner*>(::GetWindowLongPtrW(window, GWLP_USERDATA));
    if (message == WM_RENDERFORMAT && owner != nullptr) {
      owner->set_asked();
      owner->wait();
      ::SetClipboardData(CF_UNICODETEXT, text());
      return 0;
    }
    if (message == WM_CLOSE) ::PostQuitMessage(0);
    return ::DefWindowProcW(window, message, first, second);
  }
  static HANDLE text() {
    constexpr wchar_t kText[] = L"late";
    const HGLOBAL memory = ::GlobalAlloc(GMEM_MOVEABLE, sizeof kText);
    std::memcpy(::GlobalLock(memory), kText, sizeof kText);
    ::GlobalUnlock(memory);
    return memory;
  }
  void set_asked() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    changed_.notify_all();
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
    ::SetClipboardData(CF_UNICODETEXT, kind_ == Owner::kBusy ? text() : nullptr);
    ::CloseClipboard();
    {
      const std::lock_guard lock(mutex_);
      owns_ = true;
      changed_.notify_all();
    }
    if (kind_ != Owner::kRendersLate) {
      // Notices a message without reading it. A thread that waits for messages would not count as hung.
      while (HIWORD(::GetQueueStatus(QS_SENDMESSAGE | QS_POSTMESSAGE)) == 0) ::Sleep(10);
      set_asked();
      wait();
    }
    MSG message{};
    while (::GetMessageW(&message, nullptr, 0, 0) > 0) ::DispatchMessageW(&message);
    ::DestroyWindow(window_);
  }

  const Owner kind_;
  HWND window_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool owns_ = false;
  bool asked_ = false;
  bool may_go_on_ = false;
  std::thread thread_;
};

// Every limit takes 40 times as long, so that none is over on a busy machine.
class SlowClock final : public Clock {
 public:
  MonoTime now() const override {
    const std::lock_guard lock(mutex_);
    ++looks_;
    looked_.notify_all();
    return begun_ + (system_clock().now() - begun_) / 40;
  }
  WallTime wall_now() const override { return system_clock().wall_now(); }

  // How often anybody has looked at it.
  int looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
  }
  bool wait_until_looks(int count) const {
    std::unique_lock lock(mutex_);
    return looked_.wait_for(lock, kPatience, [&] { return looks_ >= count; });
  }

 private:
  const MonoTime begun_ = system_clock().now();
  mutable std::mutex mutex_;
  mutable std::condition_variable looked_;
  mutable int looks_ = 0;
};

std::unique_ptr<win32::Win32Clipboard> open_clipboard(const Clock& clock = system_clock()) {
  return *win32::Win32Clipboard::open(*win32::KeptClipboard::create(), clock);
}

Milliseconds since(MonoTime begun) { return std::chrono::duration_cast<Milliseconds>(system_clock().now() - begun); }

TEST(SlowClipboardOwner, HungOwnerDelaysAPasteButDoesNotPreventIt) {
  SlowOwner owner(Owner::kReadsNoMessages);
  const auto clipboard = open_clipboard();
  const MonoTime begun = system_clock().now();
  ASSERT_OK(clipboard->set_text("ours"));
  EXPECT_LT(since(begun), kPolicyGivesUp);
  EXPECT_EQ(raw_clipboard::text(), L"ours");
}

TEST(SlowClipboardOwner, OwnerThatDoesNotRenderIsAnErrorAndHangsNobody) {
  SlowOwner owner(Owner::kRendersLate);
  auto clipboard = open_clipboard();
  MonoTime begun = system_clock().now();
  const auto offered = clipboard->set_text("ours");
  ASSERT_FALSE(offered);
  EXPECT_EQ(offered.error().code, Code::kDeadlineExceeded) << offered.error().message;
  EXPECT_LT(since(begun), kPolicyGivesUp);
  begun = system_clock().now();
  clipboard.reset();
  EXPECT_LT(since(begun), kPolicyGivesUp);
  owner.go_on();
  // Its caller has been told that the paste failed.
  EXPECT_EQ(raw_clipboard::text(), L"late");
}

// On a busy machine, healthy programs do not answer for a while.
TEST(SlowClipboardOwner, OwnerThatIsBusyForASecondHasItsContentBack) {
  SlowOwner owner(Owner::kBusy);
  auto clipboard = open_clipboard();
  std::jthread later([&] {
    EXPECT_TRUE(owner.wait_until_asked());
    std::this_thread::sleep_for(Milliseconds(1'000));  // The slowness is what this tests.
    owner.go_on();
  });
  ASSERT_OK(clipboard->set_text("ours"));
  EXPECT_EQ(raw_clipboard::text(), L"ours");
  clipboard.reset();
  EXPECT_EQ(raw_clipboard::text(), L"late");
}

// Acts like a program that copies by a window which it destroys right afterwards. Windows takes it for hung after 5 s.
TEST(SlowClipboardOwner, OwnerThatHasReadNoMessagesForLongHasItsContentBack) {
  auto owner = std::make_unique<SlowOwner>(Owner::kBusy);
  std::this_thread::sleep_for(Milliseconds(5'500));  // The slowness is what this tests.
  auto clipboard = open_clipboard();
  std::jthread later([&] {
    EXPECT_TRUE(owner->wait_until_asked());
    owner.reset();
  });
  ASSERT_OK(clipboard->set_text("ours"));
  EXPECT_EQ(raw_clipboard::text(), L"ours");
  clipboard.reset();
  EXPECT_EQ(raw_clipboard::text(), L"late");
}

TEST(SlowClipboardOwner, OwnerThatRendersAfterAWhileHasItsContentBack) {
  {
    SlowOwner owner(Owner::kRendersLate);
    auto clipboard = open_clipboard();
    std::jthread later([&] {
      EXPECT_TRUE(owner.wait_until_asked());
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
  const SlowClock clock;
  const auto clipboard = open_clipboard(clock);
  ASSERT_OK(clipboard->set_text("first"));
  const HWND reader = ::CreateWindowExW(0, L"Static", L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, nullptr, nullptr);
  ASSERT_TRUE(::OpenClipboard(reader));
  const int looks = clock.looks();
  Result<void> second;
  std::thread paste([&] { second = clipboard->set_text("second"); });
  // It looks at the clock first to know when it has to give up, and then only after it has failed to open the
  // clipboard.
  EXPECT_TRUE(clock.wait_until_looks(looks + 2));
  const MonoTime begun = system_clock().now();
  const auto* text = static_cast<const wchar_t*>(::GlobalLock(::GetClipboardData(CF_UNICODETEXT)));
  EXPECT_LT(since(begun), kPatience);
  EXPECT_STREQ(text, L"first");
  ::CloseClipboard();
  paste.join();
  EXPECT_TRUE(second) << second.error().message;
  EXPECT_EQ(raw_clipboard::text(), L"second");
  ::DestroyWindow(reader);
}

}  // namespace
}  // namespace da::actuator
