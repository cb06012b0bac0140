// The directories of a service's own unix sockets, which do not survive a reboot. Any thread.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::service {

// Creates missing directories with mode 0700, for [endpoints] and [bus.<service>].
Result<void> make_socket_directories(const Config& config, const std::string& service);

}  // namespace da::service
