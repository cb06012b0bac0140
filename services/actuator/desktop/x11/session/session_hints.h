// Whether a service reports that the session is locked: the screen saver on the session bus
// (org.freedesktop.ScreenSaver, org.gnome.ScreenSaver), or logind's LockedHint on the system bus (LogindHint).
//
// Missing services report no lock. Hints only add locks to those that LockProbe finds on the screen. Owns the bus
// connections and the thread "session". Any thread may call locked(), which never blocks.
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

#include "lib/os/process/pipe.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"
#include "services/actuator/desktop/x11/session/logind_hint.h"

namespace da::actuator::x11 {

class SessionHints {
 public:
  // Returns once all services have answered, or after one second.
  static Result<std::unique_ptr<SessionHints>> open(const std::string& display);
  ~SessionHints();
  SessionHints(const SessionHints&) = delete;
  SessionHints& operator=(const SessionHints&) = delete;

  // The service that reports a lock; nullopt when none does.
  std::optional<std::string> locked() const;

 private:
  // A screen saver. Its last value stays valid until it reports another one or leaves the bus.
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
  std::size_t silent_ = 3;  // Services that have not answered yet.
  std::thread thread_;
};

}  // namespace da::actuator::x11
