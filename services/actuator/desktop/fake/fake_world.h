// A small deterministic desktop in memory: windows, elements, focus, text, clipboard, pixels. It behaves as the roles
// of desktop.h promise, so that everything above the desktop runs and is tested without a real one. Any thread: one
// mutex guards the world. Elements with a viewport move when the wheel turns in it.
//
// One application is installed, unless a test installs more: `notes [FILE]`, an editor with a "Text" field, a "Name"
// field, and "Save", "Clear" and "Close" buttons. Save and ctrl+s write the text to FILE or to the path in "Name".
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "services/actuator/desktop/fake/fake_journal.h"
#include "services/actuator/desktop/fake/fake_overlay.h"
#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/roles/person_watch.h"
#include "services/actuator/desktop/roles/session.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator::fake {

struct FakeElement {
  std::string id;      // Native handle, never reused.
  std::string parent;  // The handle of the element that contains it; may be empty.
  std::string role;
  std::string name;
  std::string text;
  Rect bounds;  // Desktop pixels.
  bool enabled = true;
  bool editable = false;
  bool multi_line = false;
  bool password = false;
  bool slow = false;  // invoke() has its effect, but times out.
  bool selectable = false;
  bool selected = false;
  bool checked = false;         // A check box changes it when it is clicked.
  bool inert = false;           // Clicks and typed text do nothing.
  std::string selects;          // Name of the element that a click selects instead of this one.
  Rect viewport;                // Area of the container that scrolls it; empty when nothing does.
  bool selects_by_tree = true;  // select_content() works; home and then shift+end always do.
  bool all_selected = false;    // Typing replaces the content.
  std::size_t longest = 0;      // Takes no more characters than this; 0: any number.
  bool fixed = false;           // Does not move when its container is scrolled.
  std::string unplaced;         // Element::unplaced; its bounds are not told then.
};

struct FakeWindow {
  std::string id;
  std::string title;
  std::string executable;
  std::uint32_t pid = 0;
  Rect bounds;
  bool minimized = false;
  bool takes_input = true;
  bool unmanaged = false;       // Not listed and never in the foreground: a menu, a launcher, a notification.
  bool only_shows = false;      // An unmanaged window that is a tooltip.
  bool grabs_clicks = false;    // An unmanaged window that is an open menu.
  bool keeps_above = false;     // Stays in front of windows that do not; never the foreground window: a palette.
  bool takes_keyboard = false;  // An unmanaged window that gets the keys instead of the foreground window.
  std::string blocked_by;       // The id of its modal dialog: the window ignores clicks.
  std::vector<Rect> shape;      // Where it takes clicks; empty: its bounds.
  WindowKind kind = WindowKind::kMain;
  std::string file;  // notes: where ctrl+s writes.
  std::vector<FakeElement> elements;
  std::string focused_element;
  // What its program received, in order: "press left 10,20", "move 10,20", "release left 10,20", "wheel 0,1" (right,
  // down), "chord ctrl+s", "pressed Save".
  std::vector<std::string> received;
  bool scrolls_by_itself = false;      // reveal() scrolls it; else only the wheel does.
  bool acts_by_pointer_alone = false;  // Its elements have no actions of their own.
  bool busy = false;                   // Shows the busy cursor.
  bool reads_unseen = false;           // Nothing shows whether it has read what was typed.
  bool answers_late = false;           // Queries for the focused element or the element at a point time out.
  int unanswered = 0;                  // How many of the next queries for an element's state time out.
};

class FakeWorld {
 public:
  explicit FakeWorld(Rect desktop = {0, 0, 1280, 800}, std::optional<FakeJournal> journal = std::nullopt);

  // Changes that a test makes without the actuator. Each returns the native id of the new object.
  std::string open_notes(const std::string& file = {});
  std::string open_window(const std::string& title, const std::string& executable, const Rect& bounds);
  std::string add_element(const std::string& window, FakeElement element);
  // Installs a program that opens an empty window with its name.
  void install(const std::string& name, const std::string& executable);
  // Installs a program that prints last_line and ends at once.
  void install_failing(const std::string& name, const std::string& executable, int exit_status,
                       const std::string& last_line);
  // From now on win+r opens a dialog "Run" of the program kShell, with its last command. Enter starts the program whose
  // path is typed there, or opens a dialog "Run error".
  void install_run_dialog();
  static constexpr const char* kShell = "/usr/bin/shell";
  // Simulates a person's input. Returns once the watcher's notice has returned.
  void person(PersonInput input);
  // nullopt removes the obstacle.
  void obstruct_session(std::optional<SessionObstacle> obstacle);
  // Sets why a person's input goes unseen; nullopt: it is seen.
  void blind_person_watch(std::optional<std::string> why);
  // Sets the previous clipboard owner's callback: the next set_text() calls it once, without the lock.
  void when_clipboard_is_taken(std::function<void()> owner);
  // Sets a callback, called with the world locked, for each wheel turn, pointer move or held press over a window, or
  // each typed character for one.
  void when_scrolled(std::function<void(FakeWindow&)> change);
  void when_moved(std::function<void(FakeWindow&)> change);
  void when_pressed(std::function<void(FakeWindow&)> change);
  void when_typed(std::function<void(FakeWindow&)> change);
  // Runs `change` with the world locked; afterwards the screen counts as changed.
  void change(const std::function<void(std::list<FakeWindow>&)>& change);

  // What a person would see.
  std::string text_of(const std::string& element_name) const;
  std::vector<std::string> titles() const;  // Front to back.
  std::string clipboard() const;
  std::vector<std::string> received_by(const std::string& title);  // FakeWindow.received.
  std::vector<std::string> inputs() const;                         // All input, in order: "tap enter", "click 10,20".
  bool holds_anything() const;
  FakeOverlay& overlay() { return overlay_; }
  int own_clicks() const;            // How often Input::await_own_click() was called.
  std::string clicked_part() const;  // PressPlace.part of the last click.
  int forgotten() const;             // How often UiTree::forget_all() was called.

 private:
  friend class FakeScreen;
  friend class FakeDrawingWatch;
  friend class FakeInput;
  friend class FakeWindows;
  friend class FakeApplications;
  friend class FakeUiTree;
  friend class FakeClipboard;
  friend class FakePersonWatch;
  friend class FakeSession;
  friend class FakeDesktopState;

  // Call all of these with mutex_ held.
  std::string next_id(const char* kind);
  FakeWindow* front();
  FakeWindow* key_receiver();
  FakeWindow* find_window(const std::string& id);
  FakeWindow* window_at(Point at);
  std::pair<FakeWindow*, FakeElement*> find_element(const std::string& id);
  FakeElement* focused_element();
  std::string open_notes_locked(const std::string& file);
  std::string open_window_locked(const std::string& title, const std::string& executable, const Rect& bounds);
  void raise(const std::string& window_id);
  void close(const std::string& window_id);
  void click(Point at);
  void hover(Point at);
  void press(Point at, Button button);
  // Clicks if the left button was pressed at this point.
  void release(Point at, Button button);
  // Tells the program of the window at the point, or of the one in which the button was pressed.
  void deliver(Point at, std::string event);
  void scroll(Point at, int right, int down);
  bool reveal(FakeWindow& window, FakeElement& element);
  void activate(FakeWindow& window, FakeElement& element);
  void save(FakeWindow& window);
  void insert(char32_t character);
  void tap(const std::string& key);
  void chord(const std::vector<std::string>& keys);
  static constexpr const char* kRunField = "Open:";
  void open_run_dialog();
  void run_typed();
  void note(std::string input);
  void received(std::string_view effect);
  void touched();
  // Delivers what release_all() has released.
  void deliver_releases();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  const Rect desktop_;
  std::list<FakeWindow> windows_;  // Front to back.
  struct Failing {
    int exit_status;
    std::string last_line;
  };
  std::map<std::string, std::string> installed_;  // Executables by name, without notes.
  std::map<std::string, Failing> failing_;        // Those of install_failing(), by name.
  std::list<LaunchedProgram> launched_;
  bool has_run_dialog_ = false;
  std::string last_command_;       // The last command of the Run dialog.
  bool command_selected_ = false;  // Typing replaces it.
  std::string clipboard_;
  bool clipboard_fetched_ = false;
  std::function<void()> clipboard_owner_;
  std::function<void(FakeWindow&)> scrolled_;
  std::function<void(FakeWindow&)> moved_;
  std::function<void(FakeWindow&)> pressed_;
  std::function<void(FakeWindow&)> typed_;
  Point cursor_{};
  std::atomic<bool> shut_ = false;
  std::optional<SessionObstacle> obstacle_;
  std::optional<std::string> blindness_;
  int own_clicks_ = 0;
  std::string clicked_part_;
  int forgotten_ = 0;
  std::mutex notice_mutex_;  // Never taken with mutex_ held.
  PersonWatch::Notice notice_;
  struct HeldButton {
    Button button;
    Point at;            // Where it was pressed.
    std::string window;  // The id of the window there; empty: none.
  };
  mutable std::mutex held_mutex_;  // Taken last. release_all() takes it alone.
  std::optional<HeldButton> held_;
  bool held_keys_ = false;            // Keys of Input::hold().
  std::vector<HeldButton> released_;  // By release_all(), not delivered yet.
  std::vector<std::string> inputs_;
  std::optional<FakeJournal> journal_;
  std::uint64_t ids_ = 0;
  MonoTime last_change_;
  FakeOverlay overlay_;
};

}  // namespace da::actuator::fake
