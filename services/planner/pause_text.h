// A pause in words, for people. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/pause.pb.h"

namespace da::planner {

// "a person uses the desktop (the mouse was moved)"; escaped.
std::string in_words(const v1::Pause& pause);

}  // namespace da::planner
