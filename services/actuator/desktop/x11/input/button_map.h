// Finds the button to send so that an application gets the wished one: a left-handed person, or one who has reversed
// the wheel, has exchanged buttons. The map of the XTEST pointer applies first, then the map of the whole pointer.
// Uses the connection of Input; one thread. Errors: kUnavailable (also: no button gives the wished one).
#pragma once

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class ButtonMap {
 public:
  static Result<ButtonMap> open(Connection& connection);

  // Asks the server, because a person may change the map at any time. One round trip; with the server grabbed, the
  // answer lasts.
  Result<std::uint8_t> number_to_send(std::uint8_t wished) const;

 private:
  ButtonMap(Connection& connection, std::optional<std::uint8_t> device) : connection_(&connection), device_(device) {}

  Connection* connection_;
  std::optional<std::uint8_t> device_;  // The XTEST pointer; unset when it was not found.
};

}  // namespace da::actuator::x11
