// Addresses of model servers. Pure; any thread.
#pragma once

#include <string>

#include "lib/base/result.h"

namespace da::planner::model {

// Checks that a key may be sent to this address: https, or http to this machine; no user and no password.
Result<void> check_address(const std::string& url);

// "https://api.example.com:8443", for people; without path, user and password.
std::string server_of(const std::string& url);

// "api.example.com", "127.0.0.1", "[::1]"; empty if the text is not a URL.
std::string host_of(const std::string& url);

// True for 127.0.0.0/8, ::1 and localhost.
bool is_this_machine(const std::string& host);

}  // namespace da::planner::model
