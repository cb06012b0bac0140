// The directories of a service's own unix sockets, which are gone after the machine was restarted. Any thread.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::service {

// Makes those that are missing, as 0700, for [endpoints] and [bus.<service>].
Result<void> make_socket_directories(const Config& config, const std::string& service);

}  // namespace da::service
