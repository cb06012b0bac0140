// A digest of what a UI tree shows: BLAKE2b-128 of roles, names, texts, states and bounds, hexadecimal. Element ids do
// not enter, so it is the same for two tasks. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::observer {

std::string ui_digest(const v1::UiTree& tree);

}  // namespace da::observer
