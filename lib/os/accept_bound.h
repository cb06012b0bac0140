// Keeps the last descriptors of the process from connections that come to it.
//
// ZeroMQ accepts whatever comes to its listeners, in a thread of its own, and can be told of no limit: strangers who
// connect faster than they are ended would use up the descriptors of the process. So this file has an accept4() of its
// own, which the linker gives to all libraries of the program in place of libc's. POSIX.
#pragma once

namespace da::os {

// From here on, accept4() closes at once a connection whose descriptor is not below this, and fails with ECONNABORTED.
// As the lowest free number is given, few are left then. Any thread; for the whole process.
void keep_descriptors_from_connections(int highest_descriptor);

}  // namespace da::os
