// The roles of desktop.h over a FakeWorld.
#pragma once

#include <memory>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/fake/fake_world.h"

namespace da::actuator {

// Other holders of `world` may change and inspect it meanwhile.
std::unique_ptr<Desktop> open_fake_desktop(std::shared_ptr<fake::FakeWorld> world);

}  // namespace da::actuator
