// Waits until an application has acted on the keys that it has read.
//
// A Qt application with accessibility enabled sends each key to the accessibility registry and acts on it only after
// the answer. A shortcut or click meanwhile overtakes the key: Ctrl+S saves a text without its end, and the release of
// Alt closes the menu that Alt+F opens. Other toolkits act on a key before they read the next one. Owns a connection to
// the accessibility bus, opened at the first call. One thread, that of Input.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "services/actuator/desktop/x11/atspi/bus/atspi_applications.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

class AtspiKeyRelay {
 public:
  explicit AtspiKeyRelay(const Clock& clock) : clock_(clock) {}

  // Whether this process acts on keys some time after reading them, as Qt does.
  bool acts_later(std::uint32_t pid, MonoTime deadline);
  // Waits until the thread of this process that handles keys has answered a call. This and await_action() also return
  // at the deadline, and at once when the process acts on keys as it reads them.
  void await_answer(std::uint32_t pid, MonoTime deadline);
  // Waits until this process has acted on all keys that it sent to the registry before this call.
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
  std::map<std::string, bool> relays_;  // Keyed by bus name.
};

}  // namespace da::actuator::x11
