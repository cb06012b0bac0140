// Keeps incoming connections from using up the last descriptors of the process.
//
// ZeroMQ accepts every connection, in a thread of its own, and has no limit to set: strangers who connect faster than
// they are closed would use up the process's descriptors. So this library defines its own accept4(), which the linker
// uses for all libraries of the program instead of libc's. POSIX.
#pragma once

namespace da::os {

// From now on accept4() closes at once a connection whose descriptor is highest_descriptor or above, and fails with
// ECONNABORTED. The kernel gives the lowest free number, so few descriptors are left then. Any thread; process-wide.
void keep_descriptors_from_connections(int highest_descriptor);

}  // namespace da::os
