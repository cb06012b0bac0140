#include "services/actuator/desktop/x11/session/guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xcb/xtest.h>

#include <cerrno>
#include <string_view>

#include "lib/os/process/pipe.h"
#include "services/actuator/desktop/x11/clipboard/clipboard_watch.h"
#include "services/actuator/desktop/x11/clipboard/selection_owner.h"
#include "services/actuator/desktop/x11/input/keyboard/keyboard_map.h"
#include "services/actuator/desktop/x11/input/keyboard/keyboard_state.h"
#include "services/actuator/desktop/x11/session/display_claim.h"

namespace da::actuator::x11 {
namespace {

// The server closes a dead client's connection when it next reads its socket. A server that takes longer is stuck, and
// processes the release when it resumes.
constexpr Milliseconds kServerNotices{5'000};
// Time for transfers that are under way when another program takes the clipboard.
constexpr Milliseconds kReadersFinish{5'000};

// The variables needed to reach the display; other variables may contain secrets.
std::vector<std::string> guardian_environment() {
  std::vector<std::string> kept;
  for (std::string& variable : os::current_environment()) {
    for (const std::string_view name : {"HOME=", "XAUTHORITY=", "LC_ALL=", "LD_LIBRARY_PATH="}) {
      if (variable.starts_with(name)) kept.push_back(variable);
    }
  }
  return kept;
}

enum class DriverEnd { kProcess, kDisplay };

DriverEnd wait_for_end(Connection& connection, ClipboardWatch& clipboard, int process) {
  for (;;) {
    while (const EventPtr event = connection.pending_event()) clipboard.note(*event);
    if (!connection.alive()) return DriverEnd::kDisplay;
    pollfd waiting[] = {{process, POLLIN, 0}, {xcb_get_file_descriptor(connection.get()), POLLIN, 0}};
    ::poll(waiting, 2, -1);
    if (waiting[0].revents != 0) return DriverEnd::kProcess;
  }
}

void send_event(Connection& connection, std::uint8_t event, std::size_t detail, Point at = {}) {
  xcb_test_fake_input(connection.get(), event, static_cast<std::uint8_t>(detail), XCB_CURRENT_TIME, connection.root(),
                      static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y), 0);
}

void release(Connection& connection, const HeldInput& held) {
  const auto send = [&](std::uint8_t event, std::size_t detail, Point at = {}) {
    send_event(connection, event, detail, at);
  };
  const KeySet keys = held.keys();
  for (std::size_t code = 0; code < keys.size(); ++code) {
    if (keys[code]) send(XCB_KEY_RELEASE, code);
  }
  const ButtonSet buttons = held.buttons();
  // Releasing the button where it was pressed cancels a drag.
  if (const auto pressed_at = held.pressed_at(); pressed_at && buttons.any()) send(XCB_MOTION_NOTIFY, 0, *pressed_at);
  for (std::size_t button = 0; button < buttons.size(); ++button) {
    if (buttons[button]) send(XCB_BUTTON_RELEASE, button);
  }
}

Result<void> restore_keyboard(Connection& connection, const HeldInput& held) {
  const auto cleared = held.cleared();
  const KeySet lifted = held.lifted();
  if ((cleared || lifted.any()) && use_xkb(connection)) {
    // The actuator may have died before it had lifted a key. Bounce keys, if they are to be on, would drop the presses.
    ASSIGN_OR_RETURN(const KeyboardReading now, read_keyboard(connection));
    const KeySet to_press = lifted & ~now.down;
    for (std::size_t code = 0; code < to_press.size(); ++code) {
      if (to_press[code]) send_event(connection, XCB_KEY_PRESS, code);
    }
    if (cleared) set_keyboard_state(connection, *cleared, cleared->controls);
  }
  // open() takes back keycodes that a crash left borrowed.
  RETURN_IF_ERROR(KeyboardMap::open(connection));
  return connection.sync();
}

// The server grab keeps a successor from starting between the check and the last change. A successor that has started
// has already taken back the borrowed keycodes, and has borrowed its own.
Result<void> clean_up(Connection& connection, ClipboardWatch& clipboard, const HeldInput& held, xcb_window_t claim) {
  const MonoTime deadline = connection.clock().now() + kServerNotices;
  for (;;) {
    std::optional<Connection::ServerGrab> grab(connection);
    ASSIGN_OR_RETURN(const xcb_window_t owner, claim_owner(connection));
    if (owner != claim || connection.clock().now() >= deadline) {
      release(connection, held);
      const bool alone = owner == claim || owner == XCB_NONE;
      Result<void> restored = alone ? restore_keyboard(connection, held) : ok();
      grab.reset();
      RETURN_IF_ERROR(connection.sync());
      return restored;
    }
    grab.reset();
    ASSIGN_OR_RETURN(const EventPtr event, connection.next_event(deadline));
    if (event) clipboard.note(*event);
  }
}

// Nobody waits for this process from here on, so SIGTERM and SIGINT end it again.
void become_daemon() {
  const os::UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDERR_FILENO);
  static_cast<void>(!::chdir("/"));
  for (const int number : {SIGTERM, SIGINT}) ::signal(number, SIG_DFL);
}

// Returns once another program owns the clipboard.
Result<void> serve_clipboard(const std::string& display, SelectionContent content, const Clock& clock) {
  ASSIGN_OR_RETURN(const auto owner, SelectionOwner::open(display, clock));
  const auto offered = owner->offer(std::move(content), clock.now() + kServerNotices, TakeClipboard::kIfFree);
  if (!offered && offered.error().code == Code::kAborted) return ok();
  RETURN_IF_ERROR(offered);
  become_daemon();
  owner->wait_until_replaced(kReadersFinish);
  return ok();
}

}  // namespace

Result<os::ChildProcess> start_guardian(const std::string& program, const std::string& display, const HeldInput& held,
                                        const KeptClipboard& clipboard, MonoTime deadline) {
  const os::UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!process) return posix_error("open a pidfd for the guardian", errno);
  ASSIGN_OR_RETURN(os::Pipe ready, os::make_pipe());
  ASSIGN_OR_RETURN(
      auto guardian,
      os::ChildProcess::start({.program = program,
                               .arguments = {display, std::to_string(held.descriptor()),
                                             std::to_string(clipboard.descriptor()), std::to_string(process.get())},
                               .environment = guardian_environment(),
                               .inherited = {held.descriptor(), clipboard.descriptor(), process.get()},
                               .output = ready.writer.get()}));
  ready.writer.reset();
  pollfd waiting{ready.reader.get(), POLLIN, 0};
  ::poll(&waiting, 1, poll_timeout(system_clock(), deadline));
  char byte = 0;
  if ((waiting.revents & POLLIN) != 0 && ::read(ready.reader.get(), &byte, 1) == 1) return guardian;
  return Error{Code::kUnavailable,
               "the guardian " + program + " did not start: without it a crash could leave keys held"};
}

Result<void> guard(Ward ward, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(ward.display, clock));
  RETURN_IF_ERROR(watch_claim(*connection));
  ASSIGN_OR_RETURN(auto clipboard, ClipboardWatch::open(*connection));
  ASSIGN_OR_RETURN(const xcb_window_t claim, claim_owner(*connection));
  static_cast<void>(!::write(ward.ready.get(), "r", 1));
  ward.ready.reset();
  if (wait_for_end(*connection, clipboard, ward.process.get()) == DriverEnd::kDisplay) return ok();
  const auto cleaned = clean_up(*connection, clipboard, ward.held, claim);
  ward.process.reset();
  auto kept = ward.clipboard.read();
  if (!kept) return cleaned;
  ASSIGN_OR_RETURN(const bool orphaned, clipboard.wait_until_left(kept->taken_by, clock.now() + kServerNotices));
  ward.clipboard.clear();
  connection.reset();
  if (orphaned) RETURN_IF_ERROR(serve_clipboard(ward.display, std::move(kept->content), clock));
  return cleaned;
}

}  // namespace da::actuator::x11
