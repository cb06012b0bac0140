// Tells when an application has acted on the keys that it has read.
//
// A Qt application that has accessibility switched on sends each key that it reads to the accessibility registry, and
// acts on it only when the registry has answered. A shortcut or a click that comes meanwhile overtakes it: Ctrl+S saves
// a text without its end, and the menu that Alt+F opens is closed by the Alt that comes after it. Other toolkits act on
// a key before they read the next one. Has a connection of its own to the accessibility bus, made at the first
// question. One thread, that of Input.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "services/actuator/desktop/x11/atspi_applications.h"
#include "services/actuator/desktop/x11/atspi_bus.h"

namespace da::actuator::x11 {

class AtspiKeyRelay {
 public:
  explicit AtspiKeyRelay(const Clock& clock) : clock_(clock) {}

  // Whether this process acts on keys only some time after it has read them.
  bool acts_later(std::uint32_t pid, MonoTime deadline);
  // Waits until the thread of this process that handles keys has answered a call. As all waits here, it returns at the
  // deadline too, and at once where the process acts on its keys when it reads them.
  void await_answer(std::uint32_t pid, MonoTime deadline);
  // Waits until this process has acted on all keys that it has sent to the registry before this call.
  void await_action(std::uint32_t pid, MonoTime deadline);

 private:
  bool connect();
  // The bus names of this process's applications that send their keys to the registry.
  std::vector<std::string> relaying(std::uint32_t pid, MonoTime deadline);
  Result<std::vector<std::string>> applications_of(std::uint32_t pid, MonoTime deadline);
  Result<bool> relays_keys(const std::string& bus_name, MonoTime deadline);
  Result<void> await_relay(const std::string& bus_name, MonoTime deadline);

  const Clock& clock_;
  std::unique_ptr<AtspiBus> bus_;
  MonoTime next_try_;
  AtspiApplications applications_;
  std::map<std::string, bool> relays_;  // By bus name.
};

}  // namespace da::actuator::x11
