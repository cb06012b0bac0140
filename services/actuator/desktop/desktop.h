// What a desktop can do, as small roles. A back end (x11/, win32/, fake/) implements each role with its own mechanism;
// the executor speaks to these alone, and no role is shaped by one platform.
//
// All coordinates are desktop pixels (the virtual desktop's; its origin may be negative). Text is UTF-8, foreign where
// it comes from the screen. Roles are called by one thread at a time (the executor's lock), except where noted.
// Errors: kNotFound (window or element gone), kUnavailable (desktop gone), kFailedPrecondition (cannot be done now),
// kUnimplemented (this desktop never can), kCancelled (the checkpoint said stop), kPermissionDenied (input would reach
// the program that locks the session).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::actuator {

struct MonitorInfo {
  std::string name;
  Rect bounds;
  double scale = 1.0;  // 1.0 = 96 DPI.
};

struct Layout {
  Rect desktop;  // Bounding rectangle of all monitors.
  std::vector<MonitorInfo> monitors;
};

// Pixels that belong to the Screen; valid until its next capture. BGRX, 4 bytes a pixel, rows from the top.
struct FrameView {
  const std::uint8_t* data = nullptr;
  Rect area;               // Desktop pixels that the frame shows.
  std::size_t stride = 0;  // Bytes from one row to the next.
};

enum class Quiet { kSettled, kStillChanging };

// When a screen counts as at rest: once nothing on it changed for `quiet`. With `idle`, which is shorter, also once
// nothing changed for that long while all processes of the application with the keyboard focus, if there is one, slept.
struct Rest {
  Rest(Milliseconds quiet, Milliseconds idle = Milliseconds(0)) : quiet(quiet), idle(idle) {}

  Milliseconds quiet;
  Milliseconds idle;  // 0: what the application does says nothing.
};

class Screen {
 public:
  virtual ~Screen() = default;
  virtual Result<Layout> layout() = 0;
  // The whole virtual desktop, into a buffer that is allocated once for each layout.
  virtual Result<FrameView> capture() = 0;
  // A part of it, clipped to the desktop; area tells what was captured. Its own small buffer: capture() stays valid.
  virtual Result<FrameView> capture_area(const Rect& area) = 0;
  virtual Result<Point> cursor() = 0;
  // Waits until the screen is at rest, at most until `deadline`. May be called from another thread than the other
  // methods.
  virtual Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) = 0;
};

enum class Button { kLeft, kRight, kMiddle };

// Asked between chunks of input (at most 10 ms each). An error stops the input; what is held is then released.
using Checkpoint = std::function<Result<void>()>;

// How far an input got: units (characters, keys, clicks, path points, notches) that were delivered for sure.
struct Progress {
  std::uint32_t done = 0;
  std::uint32_t total = 0;
  std::optional<Error> stopped;  // Why it ended early.
};

class Input {
 public:
  virtual ~Input() = default;
  virtual Result<void> move(Point to) = 0;
  virtual Progress click(Point at, Button button, int clicks, Milliseconds interval, const Checkpoint& checkpoint) = 0;
  virtual Result<void> button_down(Point at, Button button) = 0;
  virtual Result<void> button_up(Point at, Button button) = 0;
  // Notches: dx to the right, dy down.
  virtual Progress scroll(Point at, int dx, int dy, const Checkpoint& checkpoint) = 0;
  virtual Progress drag(std::span<const Point> path, Button button, const Checkpoint& checkpoint) = 0;
  // Key names are canonical ones of lib/contract/keys.h.
  virtual Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) = 0;
  virtual Result<void> chord(std::span<const std::string> keys) = 0;
  // Exactly this text, newline and tab as keys; returns once the application has been given it all.
  virtual Progress type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) = 0;
  // Returns once the application with the keyboard focus has read what was sent to it, by which time it has done what
  // it does at once; where it cannot tell, or does not in time, all the same.
  virtual void await_reading(MonoTime deadline) = 0;
  // Where the mouse button that this process holds went down; nullopt where it holds none. Any thread.
  virtual std::optional<Point> button_held() = 0;
  // Releases every key and button that this process holds, a button where it went down: what was dragged is dropped
  // where it was. False where nothing was held. Any thread, also while another method is at work: it comes between two
  // chunks, and waits for no application.
  virtual bool release_all() = 0;
  // As release_all(), and takes no more input, for good: what another method still wants to send is an error there.
  // Any thread; does not wait for a method that hangs.
  virtual void shut() = 0;
};

// What a person did at the desktop's own mouse and keyboard. Whatever this process did not send itself is a person's.
enum class PersonInput {
  kKillSwitch,  // Ctrl+Shift+Esc went down.
  kKeyboard,    // Any other key went down.
  kMouse,       // A button or the wheel; or the mouse was moved, or the screen was touched.
};

// Tells a person's input from this process's own, by a mark that the desktop puts on it: the device that it came from,
// or a value that is sent along with each input of ours.
class PersonWatch {
 public:
  using Notice = std::function<void(PersonInput)>;

  virtual ~PersonWatch() = default;
  // From now on `notice` is called from the watch's own thread, whatever the other roles are doing, or by look(). It
  // returns soon, and calls neither. An empty one ends
  // it; returns once no call is under way. Any thread but the watch's own.
  virtual void watch(Notice notice) = 0;
  // Takes notice of what has come by now, on the caller's thread: whoever sends input asks between its chunks, and so
  // does not depend on when a busy machine lets the watch's thread run. Any thread.
  virtual void look() = 0;
};

class Session {
 public:
  virtual ~Session() = default;
  // Why input would reach the program that locks the session; nullopt where it is not locked. Cheap: it is asked
  // between chunks of input.
  virtual Result<std::optional<std::string>> locked() = 0;
};

enum class WindowKind {
  kMain,  // Or not known.
  kDialog,
  kSplash,  // Shows that an application starts; nothing can be done in it.
  kPopup    // A tooltip, a menu, a notification.
};

// A top-level window of an application.
struct WindowInfo {
  std::string id;  // Native handle in text.
  std::string title;
  std::uint32_t pid = 0;   // 0 where unknown.
  std::string executable;  // Absolute path; empty where unknown.
  std::uint64_t process_start = 0;
  Rect bounds;  // With its frame.
  bool focused = false;
  bool minimized = false;
  bool mapped = true;  // False on a workspace that does not show, where no state says so.
  WindowKind kind = WindowKind::kMain;
  std::string launch_token;      // LaunchedProgram.token of the launch that it says it answers; foreign, mostly empty.
  bool title_is_masked = false;  // Set by ScreenMask::hide(): the title is for those who judge alone.

  // Whether it is known which program owns it. What is for one program, or against one, must not go by a guess.
  bool owner_is_known() const { return pid != 0 && !executable.empty(); }
};

class Windows {
 public:
  virtual ~Windows() = default;
  virtual Result<std::vector<WindowInfo>> list() = 0;  // Front to back.
  virtual Result<std::optional<WindowInfo>> foreground() = 0;
  virtual Result<std::optional<WindowInfo>> window_at(Point at) = 0;
  virtual Result<void> focus(const std::string& id, MonoTime deadline) = 0;  // Restores it; returns once it is active.
  virtual Result<void> close(const std::string& id) = 0;                     // Politely.
  // Whether a window manager answers. Without one, focus and stacking are what each application makes of them.
  virtual Result<bool> managed() = 0;
  // Kills the process; returns once it is gone.
  virtual Result<void> terminate(std::uint32_t pid, std::uint64_t process_start, MonoTime deadline) = 0;
};

// What launch would execute, found without executing anything.
struct LaunchPlan {
  std::string executable;         // Canonical absolute path.
  std::vector<std::string> argv;  // argv[0] included.
};

// A program that launch() started, with what it started in turn.
struct LaunchedProgram {
  std::uint32_t pid = 0;            // As launch() returned it.
  std::vector<std::uint32_t> pids;  // Of the processes that it is now; empty once all have ended.
  std::string token;                // Windows that answer the launch may carry it; empty where a desktop has none.
  bool ended = false;               // The process `pid`; the others may go on.
  int exit_status = 0;              // Where it ended by itself; else 128 and the number of the signal or exception.
  std::string last_line;            // Of its output, once it has ended; at most 300 bytes. Foreign, any bytes.
};

class Applications {
 public:
  virtual ~Applications() = default;
  // A command line (words, quotes; no shell syntax) or the name of a desktop entry.
  virtual Result<LaunchPlan> resolve(std::string_view command) = 0;
  // Starts it detached. Returns once it runs: a program that cannot be executed is an error here.
  virtual Result<std::uint32_t> launch(const LaunchPlan& plan) = 0;
  // How those that were started in the last minutes fare, in the order of their starts; without those that this desktop
  // cannot follow.
  virtual std::vector<LaunchedProgram> launched() = 0;
};

// One accessible object of the desktop, as the back end names it. Opaque to everyone else; compares by identity.
struct ElementHandle {
  std::string native;
  friend bool operator==(const ElementHandle&, const ElementHandle&) = default;
  friend auto operator<=>(const ElementHandle&, const ElementHandle&) = default;
};

enum class ElementState {
  kShowing,
  kEnabled,
  kFocused,
  kEditable,
  kChecked,
  kSelected,
  kExpanded,
  kPassword,
  kFocusable,
  kMultiLine,    // A text field where enter makes a new line.
  kSelectable,   // A row, an item or a tab that can be the selected one.
  kScrolledOut,  // It would show if what holds it were scrolled.
  kTransient     // The application may make a new object for it each time it is asked: its handle is no identity.
};

// Characters of an element's text; what is longer is cut.
constexpr std::size_t kMaxElementText = 2000;

struct Element {
  ElementHandle handle;
  ElementHandle parent;   // Empty at a window's root.
  std::string window_id;  // WindowInfo.id, where the back end can tell; else empty.
  std::uint32_t pid = 0;
  std::string role;  // Platform-independent lower-case words, as AT-SPI names them: "push button".
  std::string name;  // At most contract::kMaxNameCharacters.
  std::string text;  // Content of text elements, at most kMaxElementText characters; empty for passwords.
  Rect bounds;
  Rect visible;   // The part of bounds that its scrolling containers let show; empty where none does.
  Rect viewport;  // What shows of the containers that scroll it; empty where nothing does.
  std::vector<ElementState> states;
  bool has(ElementState state) const { return std::ranges::find(states, state) != states.end(); }
};

// A part of an element's text, in characters.
struct TextRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct TreeLimits {
  std::uint32_t max_nodes = 5000;
  MonoTime deadline;
  // An application may be told as it was this long ago, where nothing that the back end knows of has changed since.
  // Only for looking around: never for what is about to be acted on or masked.
  Milliseconds max_age{0};
};

struct ElementTree {
  std::vector<Element> elements;  // Parents before children.
  bool truncated = false;
  bool available = true;  // False where this desktop offers no accessibility tree at all.
  bool opening = false;   // An application has a window in it that does not show yet, and is about to.
  std::string note;       // Why it is empty or truncated.
};

// An element that was looked for by what it is: what has the focus, or is under a point.
struct FoundElement {
  std::optional<Element> element;
  // The application tells of its elements, but this one was not found out in time: it may be anything, and `element` at
  // best what it is in.
  bool unread = false;
};

class UiTree {
 public:
  virtual ~UiTree() = default;
  // The elements of one window, or of all where window is empty.
  virtual Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) = 0;
  // The innermost element under a point of the window; none where the application tells of nothing there.
  virtual Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) = 0;
  virtual Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) = 0;
  // The element as it is now; kNotFound where it is gone.
  virtual Result<Element> refresh(const ElementHandle& element, MonoTime deadline) = 0;
  // The same for looking around, as TreeLimits.max_age allows.
  virtual Result<Element> recall(const ElementHandle& element, const TreeLimits& limits) {
    return refresh(element, limits.deadline);
  }
  // Where each range of its text is, also where it is scrolled out of the element; empty where it does not tell.
  // kUnimplemented where it tells of none, kNotFound where it is gone.
  virtual Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                                MonoTime deadline) = 0;
  // Its own click-like action, where the back end knows that it does what a click does and the pointer may miss.
  // kUnimplemented everywhere else: click its place instead.
  virtual Result<void> invoke(const ElementHandle& element, MonoTime deadline) = 0;
  // Asks the application to scroll until the element shows, and returns without waiting for that. kUnimplemented where
  // the application cannot: turn the wheel in Element.viewport instead.
  virtual Result<void> reveal(const ElementHandle& element, MonoTime deadline) = 0;
};

class Clipboard {
 public:
  virtual ~Clipboard() = default;
  virtual Result<std::string> get_text(MonoTime deadline) = 0;
  // Offers the text until something else is put there.
  virtual Result<void> set_text(std::string_view text) = 0;
  // True once an application has fetched what set_text offered.
  virtual Result<bool> wait_until_fetched(MonoTime deadline) = 0;
};

class Desktop {
 public:
  virtual ~Desktop() = default;
  virtual std::string_view id() const = 0;  // Such as "x11:0" or "fake:1".
  virtual Screen& screen() = 0;
  virtual Input& input() = 0;
  virtual Windows& windows() = 0;
  virtual Applications& applications() = 0;
  virtual UiTree& ui_tree() = 0;
  virtual Clipboard& clipboard() = 0;
  virtual PersonWatch& person_watch() = 0;
  virtual Session& session() = 0;
};

}  // namespace da::actuator
