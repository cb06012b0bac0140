// Addresses of models' servers. Pure; any thread.
#pragma once

#include <string>

#include "lib/base/result.h"

namespace da::planner::model {

// Whether a key may be sent there: https, or http to this machine. An address has no user and no password.
Result<void> check_address(const std::string& url);

// "https://api.example.com:8443", for people: without path, user and password.
std::string server_of(const std::string& url);

// "api.example.com", "127.0.0.1", "[::1]"; empty where it is no URL.
std::string host_of(const std::string& url);

// As a part of a path, a query or a user's name.
std::string percent_encoded(const std::string& text);

// Of a host: 127.0.0.0/8, ::1 and localhost.
bool is_this_machine(const std::string& host);

}  // namespace da::planner::model
