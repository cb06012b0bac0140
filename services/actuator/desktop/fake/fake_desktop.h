// The roles of desktop.h over a FakeWorld.
#pragma once

#include <memory>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/fake/fake_world.h"

namespace da::actuator {

// The world may be changed and looked at by whoever holds it too.
std::unique_ptr<Desktop> open_fake_desktop(std::shared_ptr<fake::FakeWorld> world);

}  // namespace da::actuator
