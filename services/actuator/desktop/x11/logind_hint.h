// logind's word on whether this display's session is locked: LockedHint of org.freedesktop.login1 (systemd 230 on), as
// org.freedesktop.login1(5) describes it.
//
// The session is the one that XDG_SESSION_ID names, else the one that this process runs in, else (a service of the
// user's manager runs in none) the one that logind calls the user's display, unless that is known to be another
// display's. The word is kept until logind says otherwise, also while logind is away; once it is back it is asked
// again. A logind that was not there at first is asked when it comes. Belongs to the thread that processes the bus;
// `locked` may be read by any.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi_bus.h"

namespace da::actuator::x11 {

class LogindHint {
 public:
  static constexpr const char* kName = "org.freedesktop.login1";

  // `told` is called each time that it is known what logind says, or that it says nothing.
  LogindHint(std::string display, std::function<void()> told);
  LogindHint(const LogindHint&) = delete;
  LogindHint& operator=(const LogindHint&) = delete;

  void follow(sd_bus* bus);
  // Before the bus goes.
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
  std::function<void()> told_;
  std::vector<std::string> sessions_;  // Those that may be ours, the surest first.
  std::size_t asked_ = 0;              // Which of them is asked for, or followed.
  std::string path_;                   // Of the session that is followed; else empty.
  std::atomic<bool> locked_ = false;
  sd_bus* bus_ = nullptr;
  UniqueSlot owner_, call_, changes_;
};

}  // namespace da::actuator::x11
