// Whether an action may carry a secret to its target, and what may be done to a field that holds one. Asked when the
// action is prepared, so that nobody approves what will not happen, and again just before the act.
// Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/screen_mask.h"
#include "services/actuator/target.h"

namespace da::actuator {

struct SecretObjection {
  v1::Outcome::Code code = v1::Outcome::CODE_INVALID;
  std::string why;
};

// nullopt where nothing speaks against the action. Refused are: a placeholder that is malformed, names no secret, or
// stands in anything but typed text; a target that the secret is not for, or whose program is unknown; copying out of
// an ordinary field that holds a secret (chords, drags, double and right clicks; middle clicks anywhere).
std::optional<SecretObjection> secret_objection(const v1::Action& action, const Target& target, const ScreenMask& mask);

// True where the action types a text with a placeholder.
bool types_secret(const v1::Action& action);

}  // namespace da::actuator
