// Follows LockedHint of this display's session in logind (systemd 230 or later, org.freedesktop.login1(5)).
//
// The session is the one in XDG_SESSION_ID; else the session of this process; else, because a service of the user
// manager has no session, the user's display session, unless that belongs to another display. The last value stays
// valid while logind is away; logind is asked again when it starts. Used on the thread that processes the bus; any
// thread may call locked().
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

class LogindHint {
 public:
  static constexpr const char* kName = "org.freedesktop.login1";

  // Calls `answered` after each answer of logind, also when logind has no value.
  LogindHint(std::string display, std::function<void()> answered);
  LogindHint(const LogindHint&) = delete;
  LogindHint& operator=(const LogindHint&) = delete;

  void follow(sd_bus* bus);
  // Call before the bus is closed.
  void leave();
  bool locked() const { return locked_; }

 private:
  void ask_from_the_first();
  void ask_for_session();
  void follow_session(const char* path);
  void forget_session();
  bool is_of_another_display(const std::string& display, const std::string& type) const;

  static int on_owner_changed(sd_bus_message* message, void* hint, sd_bus_error* error);
  static int on_session(sd_bus_message* reply, void* hint, sd_bus_error* error);
  static int on_all_properties(sd_bus_message* reply, void* hint, sd_bus_error* error);
  static int on_changed(sd_bus_message* message, void* hint, sd_bus_error* error);

  std::string display_;
  std::function<void()> answered_;
  std::vector<std::string> sessions_;  // Ids to try, the most reliable first.
  std::size_t asked_ = 0;              // Index of the session that is asked for or followed.
  std::string path_;                   // D-Bus path of the followed session; empty: none.
  std::atomic<bool> locked_ = false;
  sd_bus* bus_ = nullptr;
  UniqueSlot owner_, call_, changes_;
};

}  // namespace da::actuator::x11
