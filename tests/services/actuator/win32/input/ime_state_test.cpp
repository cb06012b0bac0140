#include "services/actuator/desktop/win32/input/keyboard/ime_state.h"

#include <gtest/gtest.h>
#include <imm.h>

#include <future>
#include <thread>

#include "lib/base/clock.h"

namespace da::actuator::win32 {
namespace {

// A window that answers WM_IME_CONTROL as the window of an input method editor does.
class FakeImeWindow {
 public:
  FakeImeWindow() {
    WNDCLASSEXW window_class{};
    window_class.cbSize = sizeof window_class;
    window_class.lpfnWndProc = on_message;
    window_class.hInstance = ::GetModuleHandleW(nullptr);
    window_class.lpszClassName = L"DesktopAssistFakeIme";
    ::RegisterClassExW(&window_class);
    window_ = ::CreateWindowExW(0, window_class.lpszClassName, L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr,
                                window_class.hInstance, nullptr);
  }
  ~FakeImeWindow() { ::DestroyWindow(window_); }
  FakeImeWindow(const FakeImeWindow&) = delete;
  FakeImeWindow& operator=(const FakeImeWindow&) = delete;

  HWND window() const { return window_; }
  inline static LRESULT open = 0;
  inline static LRESULT mode = 0;

 private:
  static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
    if (message == WM_IME_CONTROL && first == 5) return open;
    if (message == WM_IME_CONTROL && first == 1) return mode;
    return ::DefWindowProcW(window, message, first, second);
  }
  HWND window_ = nullptr;
};

TEST(ImeState, OnlyAnOpenEditorInItsNativeModeTakesLetters) {
  const FakeImeWindow ime;
  for (const auto& [open, mode, expected] :
       {std::tuple{0, IME_CMODE_NATIVE, ImeState::kNone}, std::tuple{1, 0, ImeState::kNone},
        std::tuple{1, IME_CMODE_FULLSHAPE, ImeState::kNone}, std::tuple{1, IME_CMODE_NATIVE, ImeState::kComposes},
        std::tuple{1, IME_CMODE_NATIVE | IME_CMODE_FULLSHAPE, ImeState::kComposes}}) {
    FakeImeWindow::open = open;
    FakeImeWindow::mode = mode;
    EXPECT_EQ(ask_ime_window(ime.window()), expected) << open << " " << mode;
  }
}

TEST(ImeState, EditorThatDoesNotAnswerCountsAsComposing) {
  std::promise<HWND> made;
  std::promise<void> end;
  std::thread hung([&] {
    const FakeImeWindow ime;
    made.set_value(ime.window());
    end.get_future().wait();  // Handles no message.
  });
  const MonoTime begun = system_clock().now();
  EXPECT_EQ(ask_ime_window(made.get_future().get()), ImeState::kComposes);
  EXPECT_LT(system_clock().now() - begun, Milliseconds(2'000));
  end.set_value();
  hung.join();
}

TEST(ImeState, NoFocusMeansNoEditor) { EXPECT_EQ(ime_state(nullptr), ImeState::kNone); }

}  // namespace
}  // namespace da::actuator::win32
