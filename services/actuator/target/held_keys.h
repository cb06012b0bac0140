// Holds modifier keys during a click, and releases them in any case; after a death the guardian does. Desktop thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/roles/checkpoint.h"

namespace da::actuator {

// Canonical names.
std::vector<std::string> keys_of(v1::HeldKeys held);

// Carries out `click` while the keys are held. Without keys, only carries it out.
v1::Outcome while_holding(Desktop& desktop, v1::HeldKeys held, const Checkpoint& checkpoint,
                          const std::function<v1::Outcome()>& click);

}  // namespace da::actuator
