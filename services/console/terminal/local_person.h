// Who sits at this console, as facts and the audit log name them. Any thread.
#pragma once

#include <string>

namespace da::console {

// "user@console". As good as the system's user; no proof of a person.
std::string local_person();

}  // namespace da::console
