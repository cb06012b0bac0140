#include "services/actuator/privacy/screen_mask.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>

#include "services/actuator/desktop/x11/connection.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

constexpr int kFrames = 150;
constexpr Milliseconds kBetweenMoves{16};

// Keeps moving a window until it is destroyed, as a person who drags the window does.
class Mover {
 public:
  Mover(const std::string& display, const WindowInfo& window)
      : connection_(*x11::Connection::open(display, system_clock())), thread_([this, id = window.id] { move(id); }) {}
  ~Mover() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    stopped_.notify_one();
    thread_.join();
  }

 private:
  void move(const std::string& id) {
    std::uint32_t window = 0;
    std::from_chars(id.data() + 2, id.data() + id.size(), window, 16);  // "0x400003"
    std::unique_lock lock(mutex_);
    for (std::uint32_t step = 0; !stopped_.wait_for(lock, kBetweenMoves, [this] { return stop_; }); ++step) {
      const std::uint32_t place[] = {(step * 37) % 600, (step * 23) % 400};
      xcb_configure_window(connection_->get(), window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
      (void)connection_->sync();
    }
  }
  std::unique_ptr<x11::Connection> connection_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

// Counts pixels with the colour of the form's fields, which nothing else on the desktop has.
std::size_t field_pixels(const FrameView& view, const std::vector<MaskedArea>& masked) {
  const auto size = view.stride * static_cast<std::size_t>(view.area.height);
  std::vector<std::uint8_t> pixels(view.data, view.data + size);
  black_out(pixels.data(), view.stride, view.area, masked);
  std::size_t found = 0;
  for (std::size_t at = 0; at + 3 < size; at += 4) {
    found += pixels[at] == 255 && pixels[at + 1] == 0 && pixels[at + 2] == 255 ? 1 : 0;
  }
  return found;
}

struct Leaks {
  int unmasked = 0;  // Frames that would show a field without the mask: must be all, or the test proves nothing.
  int masked = 0;    // Frames that show a field in spite of the mask.
  int black = 0;     // Frames that are masked whole: safe but useless.
};

class X11ScreenMask : public testing::Test {
 protected:
  void start_form(const std::string& flags) {
    window_ = session_.start(
        "/usr/bin/python3 " DA_SOURCE_DIR "/tests/programs/gtk_form.py " + session_.file("form.json").string() + flags,
        "Test form");
    const auto paints = [this] {
      const auto view = session_.desktop().screen().capture();
      return view && field_pixels(*view, {}) > 0;
    };
    ASSERT_TRUE(session_.eventually(paints));
  }
  void hold_secrets() {
    const auto tree = session_.desktop().ui_tree().read(window_, {5000, session_.deadline()});
    ASSERT_OK(tree);
    for (const Element& element : tree->elements) {
      if (element.has(ElementState::kEditable)) ASSERT_OK(mask_.fields().add(element, window_));
    }
  }
  Leaks watch() {
    Leaks leaks;
    std::vector<double> capture_ms;
    for (int i = 0; i < kFrames; ++i) {
      const MonoTime begun = system_clock().now();
      const auto captured = mask_.capture(session_.desktop(), std::nullopt, system_clock());
      if (!captured) {
        ADD_FAILURE() << captured.error().message;
        break;
      }
      capture_ms.push_back(std::chrono::duration<double, std::milli>(system_clock().now() - begun).count());
      leaks.unmasked += field_pixels(captured->view, {}) > 0 ? 1 : 0;
      leaks.black += std::ranges::count(captured->masked, captured->view.area, &MaskedArea::area) > 0 ? 1 : 0;
      leaks.masked += field_pixels(captured->view, captured->masked) > 0 ? 1 : 0;
    }
    std::ranges::sort(capture_ms);
    std::cout << "of " << kFrames << " frames " << leaks.unmasked << " had a field, " << leaks.masked << " showed it, "
              << leaks.black << " were masked whole; the median capture took " << capture_ms[capture_ms.size() / 2]
              << " ms\n";
    return leaks;
  }
  TestSession session_;
  WindowInfo window_;
  ScreenMask mask_;
};

TEST_F(X11ScreenMask, NoFrameShowsAFieldWithASecret) {
  start_form("");
  EXPECT_EQ(watch().masked, kFrames);  // No field has a secret yet.
  hold_secrets();
  const Leaks leaks = watch();
  EXPECT_EQ(leaks.masked, 0);
  EXPECT_EQ(leaks.black, 0);
}

TEST_F(X11ScreenMask, NoFrameShowsASecretFieldOfAMovingWindow) {
  start_form("");
  hold_secrets();
  const Mover mover(session_.display(), window_);
  const Leaks leaks = watch();
  EXPECT_EQ(leaks.unmasked, kFrames);
  EXPECT_EQ(leaks.masked, 0);
  EXPECT_LT(leaks.black, kFrames / 3);
}

TEST_F(X11ScreenMask, NoFrameShowsASecretFieldThatMovesWithinItsWindow) {
  start_form(" --restless");
  hold_secrets();
  const Leaks leaks = watch();
  EXPECT_EQ(leaks.unmasked, kFrames);
  EXPECT_EQ(leaks.masked, 0);
  EXPECT_LT(leaks.black, kFrames / 3);
}

TEST_F(X11ScreenMask, WindowOfAHungApplicationIsMaskedWhole) {
  start_form("");
  hold_secrets();
  ASSERT_EQ(::kill(static_cast<pid_t>(window_.pid), SIGSTOP), 0);
  const auto captured = mask_.capture(session_.desktop(), std::nullopt, system_clock());
  ::kill(static_cast<pid_t>(window_.pid), SIGCONT);
  ASSERT_OK(captured);
  EXPECT_GT(field_pixels(captured->view, {}), 0U);
  EXPECT_EQ(field_pixels(captured->view, captured->masked), 0U);
  EXPECT_GT(std::ranges::count(captured->masked, window_.bounds, &MaskedArea::area), 0);
}

TEST_F(X11ScreenMask, NoFrameShowsAnElementNamedByAMask) {
  mask_ = ScreenMask(*Masks::parse("[[mask]]\nrole = '^(text|password text)$'", "m"), {});
  start_form(" --restless");
  const Mover mover(session_.display(), window_);
  const Leaks leaks = watch();
  EXPECT_EQ(leaks.unmasked, kFrames);
  EXPECT_EQ(leaks.masked, 0);
  EXPECT_LT(leaks.black, kFrames / 3);
}

}  // namespace
}  // namespace da::actuator
