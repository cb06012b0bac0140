#include "services/planner/pause_text.h"

#include "lib/base/text.h"

namespace da::planner {
namespace {

std::string cause_of(const v1::Pause& pause) {
  switch (pause.cause()) {
    case v1::Pause::CAUSE_PERSON: return "a person uses the desktop";
    case v1::Pause::CAUSE_SESSION_LOCKED: return "the session is locked";
    case v1::Pause::CAUSE_POLICY_SILENT: return "the actuator hears nothing of the policy";
    default: return "paused at a console";
  }
}

}  // namespace

std::string in_words(const v1::Pause& pause) {
  return pause.reason().empty() ? cause_of(pause) : cause_of(pause) + " (" + escape_foreign(pause.reason(), 300) + ")";
}

}  // namespace da::planner
