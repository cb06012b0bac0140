// Tells where the UI tree lacks elements that the application has: a click on text that was read there could hit
// something else with that name. Pure; any thread. Desktop pixels.
#pragma once

#include <span>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"

namespace da::observer {

// Drops the candidates in a page whose elements have not arrived, and in a window whose tree was cut. Whether it has
// dropped all of them. `windows`: front to back.
bool drop_unread(const v1::UiTree& tree, std::span<const v1::Window* const> windows,
                 std::vector<v1::Candidate>& candidates);

}  // namespace da::observer
