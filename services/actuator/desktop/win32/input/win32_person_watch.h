// Detects a person's keys and mouse by low-level hooks, which see all input of the session before any application.
//
// Input with our mark (InputMark) is ours; everything else counts as a person's, also input that a remote-control tool
// or another program injects. Two limits of Windows: the hooks see nothing while a window of higher integrity has the
// focus, and Windows drops a hook that answers too late, without telling. So the hooks only note what came; a second
// thread reports it. blindness() finds out both, installs dropped hooks again, and reports a person's input for the one
// that was missed.
// Ctrl+Shift+Esc is also registered as a hot key, which fires even then. A hot key does not tell who pressed it, so it
// counts only when the hooks have not seen us press Escape.
//
// Owns the threads "person hooks" and "person". One object a process at a time, because hooks have no context. Errors:
// kUnavailable (Windows installs no hook), kFailedPrecondition (a second object).
#pragma once

#include <windows.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/person_watch.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/input/kill_chord.h"
#include "services/actuator/desktop/win32/input/missed_input.h"

namespace da::actuator::win32 {

class Win32PersonWatch final : public PersonWatch {
 public:
  // `mark` identifies our own input.
  static Result<std::unique_ptr<Win32PersonWatch>> open(std::uintptr_t mark, const Clock& clock);
  ~Win32PersonWatch() override;
  Win32PersonWatch(const Win32PersonWatch&) = delete;
  Win32PersonWatch& operator=(const Win32PersonWatch&) = delete;

  void watch(Notice notice) override;
  void look() override;
  std::optional<std::string> blindness() override;
  // Whether Ctrl+Shift+Esc is registered as a hot key; another program may have it.
  bool has_hot_key() const { return has_hot_key_; }
  // Whether input of a person has not been reported completely yet. Any thread; never blocks.
  bool has_news();
  // While it lives, only our own input moves the pointer, so that a click lands where it was meant: every other move is
  // discarded. Only for Wine, where the window below the pointer repeats each of our moves late, when the pointer may
  // be elsewhere; Windows lets no other input between the events of one SendInput. For the milliseconds of that call; a
  // person who moves the mouse is noticed afterwards. One at a time.
  class PointerHold {
   public:
    explicit PointerHold(Win32PersonWatch& watch) : watch_(watch) { watch_.pointer_held_ = true; }
    ~PointerHold() { watch_.pointer_held_ = false; }
    PointerHold(const PointerHold&) = delete;
    PointerHold& operator=(const PointerHold&) = delete;

   private:
    Win32PersonWatch& watch_;
  };

 private:
  Win32PersonWatch(std::uintptr_t mark, const Clock& clock) : mark_(mark), clock_(clock) {}

  Result<void> start();
  void run_hooks();  // The thread "person hooks".
  Result<void> wait_for_hooks();
  Result<void> install_hooks();  // On the thread "person hooks", whose messages call them.
  void report();                 // The thread "person".

  static LRESULT CALLBACK on_keyboard(int code, WPARAM message, LPARAM event);
  static LRESULT CALLBACK on_mouse(int code, WPARAM message, LPARAM event);
  static void CALLBACK on_desktop_switch(HWINEVENTHOOK hook, DWORD event, HWND window, LONG object, LONG child,
                                         DWORD thread, DWORD time);
  void key(const KBDLLHOOKSTRUCT& event);
  // Whether Windows shall discard the event.
  bool mouse(WPARAM message, const MSLLHOOKSTRUCT& event);
  void hot_key();
  void add_news(PersonInput input);

  const std::uintptr_t mark_;
  const Clock& clock_;

  std::mutex taking_;  // Guards these:
  std::condition_variable changed_;
  std::optional<Result<void>> hooks_installed_;
  MissedInput missed_;
  KillChord chord_;
  std::optional<POINT> pointer_;  // Of the last mouse event, ours included.
  MonoTime own_escape_;           // When we last pressed Escape.
  MonoTime kill_switch_;          // When the kill switch was last noted.
  std::deque<PersonInput> news_;  // The first may be in delivery.
  bool ends_ = false;

  std::mutex telling_;  // Taken before taking_.
  Notice notice_;
  std::atomic<bool> watched_ = false;
  std::atomic<bool> pointer_held_ = false;
  std::atomic<DWORD> hook_thread_id_ = 0;
  std::atomic<bool> has_hot_key_ = false;
  UniqueHook keyboard_hook_;  // Only the thread "person hooks" uses the two hooks.
  UniqueHook mouse_hook_;
  std::thread hook_thread_;
  std::thread report_thread_;
};

}  // namespace da::actuator::win32
