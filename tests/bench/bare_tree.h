// The lower limit of reading an application's accessibility tree for the first time: asks each level of objects for
// their children, then all for their places, and for roles, names and states with one answer of the application's cache
// where it has one. Each round is sent at once. Registers for nothing, checks nothing and keeps nothing.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "lib/base/result.h"

namespace da::bench {

// Returns the address of the accessibility bus, which the session bus tells. kUnavailable.
Result<std::string> accessibility_bus();

// Connects to the bus at `address` and reads the objects of the process; returns their number, without the
// application's own. kNotFound, kUnavailable.
Result<std::size_t> read_bare_tree(const std::string& address, pid_t pid);

}  // namespace da::bench
