// Who sits at this machine, as approvals, facts and the audit log name them, and second factors are stored for. Any
// thread.
#pragma once

#include <string>

namespace da::os {

// "user@console". As good as the system's user; no proof of a person.
std::string local_person();

}  // namespace da::os
