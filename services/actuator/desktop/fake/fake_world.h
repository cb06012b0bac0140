// A small, exact, deterministic desktop in memory: windows, elements, focus, text, clipboard, pixels. It has the
// behaviour that the roles promise, so that everything above the desktop can be run and tested without one.
// Any thread: one mutex guards it all.
//
// Elements with a viewport move when the wheel is turned in it.
//
// One application is installed, unless a test installs more: `notes [FILE]`, an editor with a "Text" field, a "Name"
// field, and "Save", "Clear" and "Close" buttons. Save and ctrl+s write the text to FILE (or to the path in "Name"), on
// the real disk.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/fake/fake_journal.h"

namespace da::actuator::fake {

struct FakeElement {
  std::string id;  // Native handle, unique for ever.
  std::string role;
  std::string name;
  std::string text;
  Rect bounds;  // Desktop pixels.
  bool enabled = true;
  bool editable = false;
  bool multi_line = false;
  bool password = false;
  bool slow = false;  // Its own action happens, but is not answered in time.
  bool selectable = false;
  bool selected = false;
  std::string selects;  // Name of the element that a click selects instead of this one.
  Rect viewport;        // Of the container that scrolls it; empty where nothing does.
  bool fixed = false;   // It stays where it is when its container is scrolled.
};

struct FakeWindow {
  std::string id;
  std::string title;
  std::string executable;
  std::uint32_t pid = 0;
  Rect bounds;
  bool minimized = false;
  WindowKind kind = WindowKind::kMain;
  std::string file;  // notes: where ctrl+s writes.
  std::vector<FakeElement> elements;
  std::string focused_element;
  bool scrolls_by_itself = false;      // On request; else by the wheel alone.
  bool acts_by_pointer_alone = false;  // Its elements have no actions of their own.
  bool answers_late = false;           // What has the focus or is at a point is not found out in time.
};

class FakeWorld {
 public:
  explicit FakeWorld(Rect desktop = {0, 0, 1280, 800}, std::optional<FakeJournal> journal = std::nullopt);

  // What a test changes behind the actuator's back. Each returns the native id of what it made.
  std::string open_notes(const std::string& file = {});
  std::string open_window(const std::string& title, const std::string& executable, const Rect& bounds);
  std::string add_element(const std::string& window, FakeElement element);
  // A program that opens an empty window of its name.
  void install(const std::string& name, const std::string& executable);
  // A program that ends at once, having printed this.
  void install_failing(const std::string& name, const std::string& executable, int exit_status,
                       const std::string& last_line);
  // What a person does at this desk. Returns once whoever watches has been told.
  void person(PersonInput input);
  // An empty reason unlocks the session.
  void lock_session(const std::string& why);
  // Whoever had the clipboard: called once, unlocked, by the next one who puts something there.
  void when_clipboard_is_taken(std::function<void()> owner);
  // Called each time that the wheel was turned, the pointer moved, or a button pressed and held, over a window, with
  // the world locked.
  void when_scrolled(std::function<void(FakeWindow&)> change);
  void when_moved(std::function<void(FakeWindow&)> change);
  void when_pressed(std::function<void(FakeWindow&)> change);
  // Runs with the world locked; afterwards the screen counts as changed.
  void change(const std::function<void(std::list<FakeWindow>&)>& change);

  // What a person at the desk would see.
  std::string text_of(const std::string& element_name) const;
  std::vector<std::string> titles() const;  // Front to back.
  std::string clipboard() const;
  std::vector<std::string> inputs() const;  // Everything that was injected, in order: "tap enter", "click 10,20".
  bool holds_anything() const;

 private:
  friend class FakeScreen;
  friend class FakeInput;
  friend class FakeWindows;
  friend class FakeApplications;
  friend class FakeUiTree;
  friend class FakeClipboard;
  friend class FakePersonWatch;
  friend class FakeSession;

  // All of these are called with the mutex held.
  std::string next_id(const char* kind);
  FakeWindow* front();
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
  void press(Point at);
  void scroll(Point at, int right, int down);
  bool reveal(FakeWindow& window, FakeElement& element);
  void activate(FakeWindow& window, FakeElement& element);
  void save(FakeWindow& window);
  void insert(char32_t character);
  void tap(const std::string& key);
  void chord(const std::vector<std::string>& keys);
  void note(std::string input);
  // Tells the journal.
  void received(std::string_view effect);
  void touched();
  void hold(const std::string& what);
  void let_go(const std::string& what);
  void hold_at(std::optional<Point> at);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  const Rect desktop_;
  std::list<FakeWindow> windows_;  // Front to back.
  struct Failing {
    int exit_status;
    std::string last_line;
  };
  std::map<std::string, std::string> installed_;  // Besides notes: name to executable.
  std::map<std::string, Failing> failing_;        // Of those, what opens no window.
  std::list<LaunchedProgram> launched_;
  std::string clipboard_;
  bool clipboard_fetched_ = false;
  std::function<void()> clipboard_owner_;
  std::function<void(FakeWindow&)> scrolled_;
  std::function<void(FakeWindow&)> moved_;
  std::function<void(FakeWindow&)> pressed_;
  Point cursor_{};
  std::optional<Point> pressed_at_;  // Where the left button is held.
  std::atomic<bool> shut_ = false;
  std::string locked_;       // Why; empty where it is not.
  std::mutex notice_mutex_;  // Never taken with mutex_ held.
  PersonWatch::Notice notice_;
  mutable std::mutex held_mutex_;  // Taken last.
  std::set<std::string> held_;
  std::optional<Point> held_at_;  // Where the button went down.
  std::vector<std::string> inputs_;
  std::optional<FakeJournal> journal_;
  std::uint64_t ids_ = 0;
  MonoTime last_change_;
};

}  // namespace da::actuator::fake
