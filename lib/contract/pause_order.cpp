#include "lib/contract/pause_order.h"

namespace da::contract {
namespace {

int precedence(v1::Pause::Cause cause) {
  switch (cause) {
    case v1::Pause::CAUSE_SESSION_LOCKED: return 4;
    case v1::Pause::CAUSE_CONSOLE: return 3;
    case v1::Pause::CAUSE_PERSON: return 2;
    case v1::Pause::CAUSE_POLICY_SILENT: return 1;
    default: return 3;  // An unknown cause counts as a person's decision.
  }
}

}  // namespace

bool outranks(v1::Pause::Cause a, v1::Pause::Cause b) { return precedence(a) > precedence(b); }

v1::Outcome::Code refusal_code(v1::Pause::Cause cause) {
  switch (cause) {
    case v1::Pause::CAUSE_SESSION_LOCKED: return v1::Outcome::CODE_SESSION_LOCKED;
    case v1::Pause::CAUSE_POLICY_SILENT: return v1::Outcome::CODE_SUSPENDED;
    default: return v1::Outcome::CODE_PAUSED;
  }
}

}  // namespace da::contract
