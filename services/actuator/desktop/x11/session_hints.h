// Whether the session's own services say that it is locked: its screen saver on the session bus
// (org.freedesktop.ScreenSaver, org.gnome.ScreenSaver), and logind's LockedHint on the system bus.
//
// What is not there says nothing. A hint only ever adds a lock: the look at the screen (LockProbe) needs none of them.
// Owns the bus connections and the thread "session". locked() may be called from any thread and waits for nothing.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lib/os/pipe.h"
#include "services/actuator/desktop/x11/atspi_bus.h"

namespace da::actuator::x11 {

class SessionHints {
 public:
  static Result<std::unique_ptr<SessionHints>> open();
  ~SessionHints();
  SessionHints(const SessionHints&) = delete;
  SessionHints& operator=(const SessionHints&) = delete;

  // Who says that the session is locked.
  std::optional<std::string> locked() const;

 private:
  // One that may say so. Its word is kept until it says otherwise, or leaves the bus.
  struct Source {
    const char* name;
    std::atomic<bool> locked = false;
  };
  static constexpr std::size_t kLogind = 2;

  explicit SessionHints(os::Pipe stop) : stop_(std::move(stop)) {}
  void open_buses();
  void follow_screen_saver(sd_bus* bus, Source& source, const char* path);
  void follow_logind(sd_bus* bus);
  void run();

  static int on_active_changed(sd_bus_message* message, void* source, sd_bus_error* error);
  static int on_active(sd_bus_message* reply, void* source, sd_bus_error* error);
  static int on_owner_changed(sd_bus_message* message, void* source, sd_bus_error* error);
  static int on_properties(sd_bus_message* message, void* source, sd_bus_error* error);

  os::Pipe stop_;
  std::array<Source, 3> sources_{
      {{"org.freedesktop.ScreenSaver"}, {"org.gnome.ScreenSaver"}, {"org.freedesktop.login1"}}};
  UniqueBus session_bus_;
  UniqueBus system_bus_;
  std::vector<UniqueSlot> slots_;
  std::thread thread_;
};

}  // namespace da::actuator::x11
