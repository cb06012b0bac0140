// The operations of a desktop, split into small platform-independent roles. Each back end (x11/, win32/, fake/)
// implements them with its own mechanism; the executor uses only these roles.
//
// Coordinates are pixels of the virtual desktop, whose origin may be negative. Text is UTF-8; text from the screen is
// untrusted. One thread at a time calls a role (the executor's lock), except where noted.
// Errors: kNotFound (window or element gone), kUnavailable (desktop gone), kFailedPrecondition (not possible now),
// kUnimplemented (never possible on this desktop), kCancelled (the checkpoint stopped it), kPermissionDenied (input
// would reach the program that locks the session).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
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

// Pixels owned by the Screen, valid until its next capture. BGRX, 4 bytes per pixel, top row first.
struct FrameView {
  const std::uint8_t* data = nullptr;
  Rect area;               // Part of the desktop that the frame shows.
  std::size_t stride = 0;  // Bytes from one row to the next.
  // Of Screen::changed_since(): the frame contains all changes up to this generation, and perhaps later ones. 0:
  // unknown.
  std::uint64_t generation = 0;
};

// What the shape of the mouse cursor says about the place under it or about the application.
enum class CursorShape {
  kUnknown,  // Also: hidden, or drawn by the application itself.
  kArrow,
  kText,
  kHand,  // Over a link or a button.
  kBusy,  // The application works; also with an arrow beside it.
  kCross,
  kMove,
  kResize,
  kForbidden,  // Nothing can be dropped or done here.
  kHelp
};

enum class Quiet { kSettled, kStillChanging };

// The screen is at rest once nothing on it has changed for `quiet`. It is also at rest once nothing has changed for the
// shorter time `idle` and all processes of the application with the keyboard focus (if any) slept meanwhile.
struct Rest {
  Rest(Milliseconds quiet, Milliseconds idle = Milliseconds(0)) : quiet(quiet), idle(idle) {}

  Milliseconds quiet;
  Milliseconds idle;  // 0: ignore whether the application sleeps.
};

// Tells a waiting thread what is drawn on the screen. One thread at a time; several may exist beside each other.
class DrawingWatch {
 public:
  virtual ~DrawingWatch() = default;
  // Forgets what was drawn before the call.
  virtual Result<void> arm() = 0;
  // The areas drawn since arm() or the last next(); if there are none, waits for some. Empty: the deadline has come, or
  // a stop was requested. kUnavailable: drawing cannot be watched now.
  virtual Result<std::vector<Rect>> next(MonoTime deadline, const std::stop_token& stop) = 0;
};

class Screen {
 public:
  virtual ~Screen() = default;
  virtual Result<Layout> layout() = 0;
  // Captures the whole virtual desktop into a buffer that is allocated once per layout.
  virtual Result<FrameView> capture() = 0;
  // Captures `area` clipped to the desktop, into a second buffer: the frame of capture() stays valid.
  virtual Result<FrameView> capture_area(const Rect& area) = 0;
  // Areas of the desktop that may have changed since `generation` (FrameView.generation); the rest has not. nullopt:
  // everything may have, because the generation is too old, or because this desktop does not report all changes.
  virtual Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t generation) = 0;
  // To miss nothing, call arm(), then changed_since(), then next(). The screen must outlive the watch. Any thread.
  virtual Result<std::unique_ptr<DrawingWatch>> watch_drawing() = 0;
  virtual Result<Point> cursor() = 0;
  virtual Result<CursorShape> cursor_shape() = 0;
  // Waits until the screen is at rest or the deadline. Another thread than that of the other methods may call it.
  virtual Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) = 0;
};

enum class Button { kLeft, kRight, kMiddle };

// Called between chunks of input (at most 10 ms each). An error stops the input and releases all held keys and buttons.
using Checkpoint = std::function<Result<void>()>;

// How many units (characters, keys, clicks, path points, notches) of an input were certainly delivered.
struct Progress {
  std::uint32_t done = 0;
  std::uint32_t total = 0;
  std::optional<Error> stopped;  // Why the input ended early.
  // The application has read all `done` characters of a typed text. Otherwise the system took them, and nothing showed
  // that the application has read them.
  bool read = false;
};

class Input {
 public:
  virtual ~Input() = default;
  virtual Result<void> move(Point to) = 0;
  virtual Progress click(Point at, Button button, int clicks, Milliseconds interval, const Checkpoint& checkpoint) = 0;
  virtual Result<void> button_down(Point at, Button button) = 0;
  virtual Result<void> button_up(Point at, Button button) = 0;
  // dx: notches to the right; dy: notches down.
  virtual Progress scroll(Point at, int dx, int dy, const Checkpoint& checkpoint) = 0;
  virtual Progress drag(std::span<const Point> path, Button button, const Checkpoint& checkpoint) = 0;
  // `keys`: canonical names (lib/contract/keys.h).
  virtual Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) = 0;
  virtual Result<void> chord(std::span<const std::string> keys) = 0;
  // Types exactly this text, newline and tab as keys. Returns once the application has read all of it, where that can
  // be observed (Progress::read).
  virtual Progress type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) = 0;
  // Waits until the application with the keyboard focus has read its input, and so carried out its immediate effects.
  // Also returns when that cannot be observed, or at the deadline.
  virtual void await_reading(MonoTime deadline) = 0;
  // Where this process pressed the mouse button that it holds; nullopt when it holds none. Any thread.
  virtual std::optional<Point> button_held() = 0;
  // Releases every key and button that this process holds. A button is released where it was pressed, so that a drag
  // has no effect. Returns whether anything was held. Any thread, also during another method: it runs between two
  // chunks and waits for no application.
  virtual bool release_all() = 0;
  // Releases as release_all() does, and refuses all later input, also that of a method under way. Any thread; does not
  // wait for a method that hangs.
  virtual void shut() = 0;
};

// A person's input. All input that this process did not send counts as a person's.
enum class PersonInput {
  kKillSwitch,  // Ctrl+Shift+Esc was pressed.
  kKeyboard,    // Any other key was pressed.
  kMouse,       // A button, the wheel, a move, or a touch of the screen.
};

// Distinguishes a person's input from our own, by its device or by a value that we attach to each of our inputs.
class PersonWatch {
 public:
  using Notice = std::function<void(PersonInput)>;

  virtual ~PersonWatch() = default;
  // Calls `notice` for each input from now on, from the watch's own thread or from look(). `notice` must return soon
  // and must not call watch() or look(). An empty notice ends the watch. Returns once no call is under way. Any thread
  // but the watch's own.
  virtual void watch(Notice notice) = 0;
  // Reports the input that has arrived by now, on the caller's thread. Code that sends input calls it between chunks,
  // because a busy machine may schedule the watch's thread late. Any thread.
  virtual void look() = 0;
  // Why a person's input, the kill switch included, may go unseen now; nullopt: all of it is seen. The actuator must
  // not act meanwhile. Cheap: it is called between chunks of input. Any thread.
  virtual std::optional<std::string> blindness() = 0;
};

struct SessionObstacle {
  enum class Kind {
    kLocked,         // A screen locker or a screen saver.
    kSecureDesktop,  // The system shows a desktop of its own, which no program can use: a UAC prompt, for example.
    kDisconnected    // The remote connection to the session is closed.
  };
  Kind kind;
  std::string reason;
};

class Session {
 public:
  virtual ~Session() = default;
  // What keeps input from the session's applications; nullopt when nothing does. Cheap: it is called between chunks of
  // input.
  virtual Result<std::optional<SessionObstacle>> obstacle() = 0;
};

enum class WindowKind {
  kMain,  // Also: unknown.
  kDialog,
  kSplash,  // Shown while an application starts; takes no input.
  kPopup    // A tooltip, a menu, a notification.
};

// A top-level window of an application.
struct WindowInfo {
  std::string id;  // Native handle as text.
  std::string title;
  std::uint32_t pid = 0;   // 0: unknown.
  std::string executable;  // Absolute path; empty: unknown.
  std::uint64_t process_start = 0;
  Rect bounds;  // Including the frame.
  bool focused = false;
  bool minimized = false;
  bool mapped = true;  // False on a hidden workspace, even when no state of the window says so.
  WindowKind kind = WindowKind::kMain;
  std::string launch_token;      // LaunchedProgram.token that the window claims; untrusted, mostly empty.
  bool takes_input = true;       // False: its program has more rights, so that the system discards our input.
  bool title_is_masked = false;  // Set by ScreenMask::hide(): only the policy may see the title.

  // Rules that name a program must match only windows whose owner is known.
  bool owner_is_known() const { return pid != 0 && !executable.empty(); }
};

// How a process ended that was to be terminated.
enum class Ending {
  kClosed,  // By itself, because its windows were asked to close.
  kKilled
};

class Windows {
 public:
  virtual ~Windows() = default;
  virtual Result<std::vector<WindowInfo>> list() = 0;  // Front to back.
  virtual Result<std::optional<WindowInfo>> foreground() = 0;
  virtual Result<std::optional<WindowInfo>> window_at(Point at) = 0;
  virtual Result<void> focus(const std::string& id, MonoTime deadline) = 0;  // Restores; returns once it is active.
  virtual Result<void> close(const std::string& id) = 0;                     // Asks the application to close it.
  // Ends exactly this process and returns once it is gone. Windows: asks its windows to close first, and kills it when
  // it is still there after a while. Calls the checkpoint before the kill and while it waits for the windows.
  virtual Result<Ending> terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                                   MonoTime deadline) = 0;
};

// What launch() would execute; resolve() executes nothing.
struct LaunchPlan {
  std::string executable;         // Canonical absolute path.
  std::vector<std::string> argv;  // argv[0] included.
};

// A program that launch() started, with its descendant processes.
struct LaunchedProgram {
  std::uint32_t pid = 0;            // The pid that launch() returned.
  std::vector<std::uint32_t> pids;  // All processes of the program that still run.
  std::string token;                // Windows of this launch may carry it; empty on desktops without such tokens.
  bool ended = false;               // Whether the process `pid` has ended; its descendants may still run.
  int exit_status = 0;              // Of `pid`; 128 + the number of the signal or exception that ended it.
  std::string last_line;            // Last line of the output, once ended; at most 300 bytes. Untrusted, any bytes.
};

// The desktop's dialog in which a person types a command line to start a program.
struct RunDialog {
  std::vector<std::string> chord;  // The keys that open it; canonical names.
  std::string executable;          // Of the process that shows it.
  std::string command_line;        // What to type.
};

class Applications {
 public:
  virtual ~Applications() = default;
  // A command line (words, quotes; no shell syntax) or the name of a desktop entry.
  virtual Result<LaunchPlan> resolve(std::string_view command) = 0;
  // Starts the program detached and returns its pid once it runs. A program that cannot be executed is an error.
  virtual Result<std::uint32_t> launch(const LaunchPlan& plan) = 0;
  // How to start it by the desktop's Run dialog. kUnimplemented: this desktop has none. kInvalidArgument: the dialog
  // would not execute exactly this.
  virtual Result<RunDialog> run_dialog(const LaunchPlan& plan) = 0;
  // The programs started in the last minutes that this desktop can follow, in the order of their starts.
  virtual std::vector<LaunchedProgram> launched() = 0;
};

// Identifies a file and distinguishes it from one that has replaced it at its path.
struct FileIdentity {
  std::string canonical_path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // A new file may reuse it, so changed_ns is compared too.
  std::int64_t changed_ns = 0;
  std::uint64_t size = 0;  // Bytes.
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class Files {
 public:
  virtual ~Files() = default;
  // The plain file at an absolute path. kInvalidArgument: the path is not absolute, or names a link, a directory or a
  // device.
  virtual Result<FileIdentity> identify(const std::string& path) = 0;
  // The file that a program is started from. Follows links; its path in the result is the given one.
  virtual Result<FileIdentity> identify_program(const std::string& executable) = 0;
  // Moves exactly this file to the user's trash or recycle bin, and returns the path that it has there. Never deletes a
  // file for good. kAborted: the path reaches another file by now, or goes through a link. kFailedPrecondition: there
  // is no trash for this file. After both errors every file is where it was, unless the message says otherwise.
  virtual Result<std::string> remove(const FileIdentity& file) = 0;
};

// Names one accessible object. Only the back end knows the format; equal handles name the same object.
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
  kMultiLine,    // A text field where enter starts a new line.
  kSelectable,   // A row, an item or a tab that can be selected.
  kScrolledOut,  // Scrolling its container would show it.
  kTransient     // The application may create a new object for each query, so the handle does not identify it.
};

// An element's text is cut after this many characters.
constexpr std::size_t kMaxElementText = 2000;

struct Element {
  ElementHandle handle;
  ElementHandle parent;   // Empty at a window's root.
  std::string window_id;  // WindowInfo.id; empty when unknown.
  std::uint32_t pid = 0;
  std::string role;  // One of contract::kRoles: "push button".
  std::string name;  // At most contract::kMaxNameCharacters.
  std::string text;  // Content of text elements, at most kMaxElementText characters; empty for passwords.
  Rect bounds;
  Rect visible;   // The part of bounds that its scrolling containers do not clip; may be empty.
  Rect viewport;  // The visible area of its scrolling containers; empty when nothing scrolls it.
  std::vector<ElementState> states;
  bool has(ElementState state) const { return std::ranges::find(states, state) != states.end(); }
};

// A part of an element's text; unit: characters.
struct TextRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct TreeLimits {
  std::uint32_t max_nodes = 5000;
  MonoTime deadline;
  // A cached tree of at most this age may be returned when the back end has seen no change since. Only for
  // observations, never for elements that are about to be acted on or masked.
  Milliseconds max_age{0};
};

struct ElementTree {
  std::vector<Element> elements;  // Parents before children.
  bool truncated = false;
  bool available = true;  // False when this desktop offers no accessibility tree at all.
  bool opening = false;   // The tree has a window that does not show yet but is about to.
  std::string note;       // Why the tree is empty or truncated.
};

// The result of looking for the focused element, or for the element under a point.
struct FoundElement {
  std::optional<Element> element;
  // The application exposes elements, but did not name this one in time. `element` is then at best a container of it.
  bool unread = false;
};

class UiTree {
 public:
  virtual ~UiTree() = default;
  // The elements of one window; nullopt means all windows.
  virtual Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) = 0;
  // The innermost element under a point of the window; none when the application exposes no element there.
  virtual Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) = 0;
  virtual Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) = 0;
  // The element's current state; kNotFound when it is gone.
  virtual Result<Element> refresh(const ElementHandle& element, MonoTime deadline) = 0;
  // As refresh(), but for observations: may be as old as TreeLimits.max_age allows.
  virtual Result<Element> recall(const ElementHandle& element, const TreeLimits& limits) {
    return refresh(element, limits.deadline);
  }
  // The place of each range of the element's text, also when scrolled out; empty for a range without a known place.
  // kUnimplemented when the element has no such places, kNotFound when it is gone.
  virtual Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                                MonoTime deadline) = 0;
  // Performs the element's own click-like action, where the back end knows that it equals a click and that the pointer
  // may miss. Otherwise kUnimplemented: click its place instead.
  virtual Result<void> invoke(const ElementHandle& element, MonoTime deadline) = 0;
  // Asks the application to scroll until the element shows, and returns without waiting for that. kUnimplemented when
  // the application cannot: turn the wheel in Element.viewport instead.
  virtual Result<void> reveal(const ElementHandle& element, MonoTime deadline) = 0;
  // Forgets what was kept about applications' elements, their texts included: no task is open any more. Handles from
  // before may be kNotFound afterwards. Waits for an application only shortly.
  virtual void forget_all() = 0;
};

class Clipboard {
 public:
  virtual ~Clipboard() = default;
  // Offers the text until something else is copied.
  virtual Result<void> set_text(std::string_view text) = 0;
  // True once an application has fetched the text of set_text().
  virtual Result<bool> wait_until_fetched(MonoTime deadline) = 0;
};

constexpr std::size_t kMaxOverlayJustification = 60;  // Characters.

// What a person at the desktop is shown about the task. The texts are shown as they are: escape foreign text first.
struct OverlayContent {
  std::string driver;          // Who drives the desktop.
  std::string stop_chord;      // How a person stops it.
  std::string justification;   // Why the step is made; at most kMaxOverlayJustification characters. Empty: unknown.
  std::string approval_words;  // Of the step that waits for an approval; empty: none waits.
  std::optional<Rect> marker;  // The step's target.
  friend bool operator==(const OverlayContent&, const OverlayContent&) = default;
};

// Lines and an outline on top of all windows, for a person's eyes only: they are in no capture, count as no change in
// wait_quiet(), take no input, and are no window to the other roles. Any thread; calls take turns and never wait for an
// application.
class Overlay {
 public:
  virtual ~Overlay() = default;
  // Replaces the content. After an error nothing is shown. kUnimplemented: this desktop cannot keep the overlay out of
  // captures; kFailedPrecondition: a screen locker covers the desktop now.
  virtual Result<void> show(const OverlayContent& content) = 0;
  virtual void hide() = 0;
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
  virtual Files& files() = 0;
  virtual Overlay& overlay() = 0;
};

}  // namespace da::actuator
