// Decides whether an action may type a secret into its target, and which actions a field that contains one permits.
// Asked when the action is prepared, so that nobody approves an action that will be refused, and again just before the
// act. Pure; any thread.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

struct SecretObjection {
  v1::Outcome::Code code = v1::Outcome::CODE_INVALID;
  std::string why;
};

// nullopt: the action is permitted. Refused are: a placeholder that is malformed, names no secret, or is not in typed
// text; a target outside the secret's scope, or of an unknown program; actions that could copy from a field with a
// secret that is no password field (chords, drags, double and right clicks there; middle clicks anywhere).
std::optional<SecretObjection> secret_objection(const v1::Action& action, const ActionTarget& target,
                                                const ScreenMask& mask);

// The names of the secrets that the action types.
std::set<std::string> typed_secrets(const v1::Action& action);

}  // namespace da::actuator
