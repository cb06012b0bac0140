// The name of the person at this machine, for approvals, facts, the audit log and second factors. Any thread.
#pragma once

#include <string>

namespace da::os {

// "user@console". As reliable as the system's user name; it does not prove who the person is.
std::string local_person();

}  // namespace da::os
