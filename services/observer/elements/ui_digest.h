// BLAKE2b-128 of a UI tree's roles, names, texts, states and bounds, hexadecimal. It excludes element ids, so that all
// tasks get the same digest. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::observer {

std::string ui_digest(const v1::UiTree& tree);

}  // namespace da::observer
