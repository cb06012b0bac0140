// A console's side of a halt by datagrams (halt_message.h). Any thread.
#pragma once

#include <stop_token>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/halt/halt_listener.h"
#include "lib/identity/credentials.h"

namespace da::halt {

// Repeats itself until the service answers. Errors: kUnavailable (nobody receives there, or `address` is "unix:..."),
// kDeadlineExceeded (no answer: a firewall may drop datagrams), kCancelled.
Result<Answer> halt_by_datagram(const std::string& address, identity::Role service,
                                const identity::Credentials& credentials, const std::string& reason,
                                const std::string& by, Milliseconds timeout, const std::stop_token& stop);

}  // namespace da::halt
