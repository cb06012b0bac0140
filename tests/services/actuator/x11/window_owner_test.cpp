#include <gtest/gtest.h>
#include <unistd.h>

#include "services/actuator/desktop/x11/applications/posix_process.h"
#include "services/actuator/desktop/x11/windows/focus_owner.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

using x11::Connection;

std::uint32_t own_pid() { return static_cast<std::uint32_t>(::getpid()); }

// An X client that can set any properties on its window.
class Client {
 public:
  explicit Client(const std::string& display) : connection_(*Connection::open(display, system_clock())) {}

  xcb_window_t open(const std::string& title, const Rect& place, bool bypasses_manager = false) {
    xcb_connection_t* x = connection_->get();
    const xcb_window_t window = xcb_generate_id(x);
    const std::uint32_t bypasses = bypasses_manager ? 1 : 0;
    xcb_create_window(x, XCB_COPY_FROM_PARENT, window, connection_->root(), static_cast<std::int16_t>(place.x),
                      static_cast<std::int16_t>(place.y), static_cast<std::uint16_t>(place.width),
                      static_cast<std::uint16_t>(place.height), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_OVERRIDE_REDIRECT, &bypasses);
    set(window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, title.data(), title.size());
    return window;
  }
  void claim(xcb_window_t window, std::uint32_t pid) {
    set(window, *connection_->atom("_NET_WM_PID"), XCB_ATOM_CARDINAL, 32, &pid, 1);
  }
  void claim_in_words(xcb_window_t window, const std::string& pid) {
    set(window, *connection_->atom("_NET_WM_PID"), XCB_ATOM_STRING, 8, pid.data(), pid.size());
  }
  void belong_to(xcb_window_t window, std::uint32_t owner) {
    set(window, XCB_ATOM_WM_TRANSIENT_FOR, XCB_ATOM_WINDOW, 32, &owner, 1);
  }
  void show(xcb_window_t window) {
    xcb_map_window(connection_->get(), window);
    (void)connection_->sync();
  }
  void focus(xcb_window_t window) {
    xcb_set_input_focus(connection_->get(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
    (void)connection_->sync();
  }
  Connection& connection() { return *connection_; }

 private:
  void set(xcb_window_t window, xcb_atom_t name, xcb_atom_t type, std::uint8_t format, const void* data,
           std::size_t items) {
    xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, window, name, type, format,
                        static_cast<std::uint32_t>(items), data);
  }
  std::unique_ptr<Connection> connection_;
};

class WindowOwner : public ::testing::Test {
 protected:
  WindowInfo shown(xcb_window_t window, const std::string& title) {
    client_.show(window);
    EXPECT_TRUE(session_.eventually([&] { return session_.find_window(title).has_value(); })) << title;
    return session_.find_window(title).value_or(WindowInfo{});
  }
  static void expect_known(const WindowInfo& window) {
    EXPECT_EQ(window.pid, own_pid());
    EXPECT_EQ(window.executable, x11::executable_of(own_pid()));
    EXPECT_EQ(window.process_start, x11::start_of(own_pid()));
  }
  static void expect_unknown(const WindowInfo& window) {
    EXPECT_EQ(window.pid, 0U);
    EXPECT_EQ(window.executable, "");
    EXPECT_EQ(window.process_start, 0U);
  }

  TestSession session_{SessionBus::kWithout};
  // openbox misses a window that is mapped while it starts, so this window is mapped first.
  WindowInfo other_ = session_.start("xterm -T other -e cat", "other");
  Client client_{session_.display()};
};

TEST_F(WindowOwner, IsTheServersPidWithoutNetWmPid) {
  expect_known(shown(client_.open("silent", {0, 0, 100, 100}), "silent"));
}

TEST_F(WindowOwner, IsKnownWhenNetWmPidAgrees) {
  const xcb_window_t window = client_.open("honest", {0, 0, 100, 100});
  client_.claim(window, own_pid());
  expect_known(shown(window, "honest"));
}

// Bug: _NET_WM_PID was trusted, so that any window could pass as another program's.
TEST_F(WindowOwner, IsUnknownWhenNetWmPidDisagrees) {
  const xcb_window_t window = client_.open("liar", {0, 0, 100, 100});
  client_.claim(window, other_.pid);
  expect_unknown(shown(window, "liar"));
  client_.claim(window, 0);
  client_.show(window);
  expect_unknown(*session_.find_window("liar"));
  client_.claim_in_words(window, std::to_string(own_pid()));
  client_.show(window);
  expect_unknown(*session_.find_window("liar"));
}

TEST_F(WindowOwner, IsKnownForAProgramInItsOwnPidNamespace) {
  const std::string as_root = ::geteuid() == 0 ? "" : "--user --map-root-user ";
  const WindowInfo boxed = session_.start("unshare " + as_root + "--pid --fork xterm -T boxed -e cat", "boxed");
  EXPECT_NE(boxed.pid, 0U);
  EXPECT_EQ(boxed.executable, std::filesystem::canonical("/usr/bin/xterm").string());
  EXPECT_EQ(session_.output_of({"xprop", "-name", "boxed", "_NET_WM_PID"}), "_NET_WM_PID(CARDINAL) = 1");
}

// Bug: an unmanaged window that named another program's window as its owner passed as that window.
TEST_F(WindowOwner, UnmanagedWindowCannotClaimAWindowOfAnotherProcess) {
  const xcb_window_t window = client_.open("menu", {900, 500, 100, 100}, true);
  client_.belong_to(window, static_cast<std::uint32_t>(std::stoul(other_.id.substr(2), nullptr, 16)));
  client_.show(window);
  const auto found = session_.desktop().windows().window_at({950, 550});
  ASSERT_OK(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->title, "menu");
  expect_known(**found);
}

TEST_F(WindowOwner, UnmanagedWindowBelongsToTheNamedWindowOfItsProcess) {
  const xcb_window_t main = client_.open("main", {0, 0, 100, 100});
  shown(main, "main");
  const xcb_window_t window = client_.open("menu", {900, 500, 100, 100}, true);
  client_.belong_to(window, main);
  client_.show(window);
  EXPECT_EQ(session_.desktop().windows().window_at({950, 550}).value().value().title, "main");
}

TEST_F(WindowOwner, FocusOwnerIsUnknownWhenNetWmPidDisagrees) {
  const xcb_window_t window = client_.open("focus", {0, 0, 100, 100}, true);
  client_.claim(window, own_pid());
  client_.show(window);
  client_.focus(window);
  const auto atoms = x11::FocusAtoms::of(client_.connection());
  ASSERT_OK(atoms);
  EXPECT_EQ(x11::find_focus_owner(client_.connection(), *atoms)->pid, own_pid());
  client_.claim(window, 1);
  const auto owner = x11::find_focus_owner(client_.connection(), *atoms);
  ASSERT_OK(owner);
  EXPECT_TRUE(owner->focused);
  EXPECT_EQ(owner->pid, 0U);
}

TEST(WindowOwnerWithoutXResource, IsUnknown) {
  TestSession session(SessionBus::kWithout, "1280x800x24", {"-extension", "X-Resource"});
  const WindowInfo window = session.start("xterm -T unknown -e cat", "unknown");
  EXPECT_EQ(window.pid, 0U);
  EXPECT_EQ(window.executable, "");
  EXPECT_EQ(window.process_start, 0U);
}

}  // namespace
}  // namespace da::actuator
