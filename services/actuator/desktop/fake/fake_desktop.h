// The roles of desktop.h over a FakeWorld. Each is a class of its own: fake_input.h and so on; the small ones are in
// fake_desktop.cpp.
#pragma once

#include <memory>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/files/system_files.h"

namespace da::actuator {

// Other holders of `world` may change and inspect it meanwhile. Its files are the machine's.
std::unique_ptr<Desktop> open_fake_desktop(std::shared_ptr<fake::FakeWorld> world, FilesOptions files = {});

}  // namespace da::actuator
