// Paints a fake desktop: flat colours, one block per character, so that typing changes the screen. Pure; any thread.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "services/actuator/desktop/fake/fake_world.h"

namespace da::actuator::fake {

// Fills the buffer with this area of the desktop: BGRX, tightly packed.
void paint(const std::list<FakeWindow>& windows, const Rect& area, std::vector<std::uint8_t>& buffer);

}  // namespace da::actuator::fake
