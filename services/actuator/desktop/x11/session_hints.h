// Whether the session's own services say that it is locked: its screen saver on the session bus
// (org.freedesktop.ScreenSaver, org.gnome.ScreenSaver), and logind's LockedHint on the system bus (LogindHint).
//
// What is not there says nothing. A hint only ever adds a lock: the look at the screen (LockProbe) needs none of them.
// Owns the bus connections and the thread "session". locked() may be called from any thread and waits for nothing.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lib/os/pipe.h"
#include "services/actuator/desktop/x11/atspi_bus.h"
#include "services/actuator/desktop/x11/logind_hint.h"

namespace da::actuator::x11 {

class SessionHints {
 public:
  // Returns once all of them have said their first word, or could have.
  static Result<std::unique_ptr<SessionHints>> open(const std::string& display);
  ~SessionHints();
  SessionHints(const SessionHints&) = delete;
  SessionHints& operator=(const SessionHints&) = delete;

  // Who says that the session is locked.
  std::optional<std::string> locked() const;

 private:
  // One that may say so. Its word is kept until it says otherwise, or leaves the bus.
  struct Source {
    const char* name;
    SessionHints& hints;
    bool heard = false;
    std::atomic<bool> locked = false;
  };

  SessionHints(std::string display, os::Pipe stop);
  void hear(bool& heard);
  void open_buses();
  void follow_screen_saver(sd_bus* bus, Source& source, const char* path);
  void run();

  static int on_active_changed(sd_bus_message* message, void* source, sd_bus_error* error);
  static int on_active(sd_bus_message* reply, void* source, sd_bus_error* error);
  static int on_owner_changed(sd_bus_message* message, void* source, sd_bus_error* error);

  os::Pipe stop_;
  std::array<Source, 2> screen_savers_{{{"org.freedesktop.ScreenSaver", *this}, {"org.gnome.ScreenSaver", *this}}};
  LogindHint logind_;
  bool logind_heard_ = false;
  UniqueBus session_bus_;
  UniqueBus system_bus_;
  std::vector<UniqueSlot> slots_;

  std::mutex mutex_;
  std::condition_variable heard_;
  std::size_t silent_ = 3;  // Who has yet to say a first word.
  std::thread thread_;
};

}  // namespace da::actuator::x11
