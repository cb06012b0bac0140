// Through which proxy a model's server is reached. This machine never is: a request without TLS, which is taken for it
// alone, must not travel to a proxy in the clear. Decided here rather than by libcurl, whose messages repeat a proxy's
// address with the password in it. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "services/planner/model/environment.h"

namespace da::planner::model {

struct ProxySettings {
  std::string url;                   // [planner] proxy, for every server; empty: as the environment says.
  std::filesystem::path login_file;  // "USER:PASSWORD", mode 0600; of url alone.
};

struct Proxy {
  std::string url;    // "http://proxy.example:3128"; empty: the server is reached directly. For people too.
  std::string login;  // Secret. "user:password", both percent-encoded; may be empty.
  std::string why;    // "planner.proxy", "https_proxy".
};

// Its form alone: a proxy's address without user and password, which belong into a file.
Result<void> check_proxy(const std::string& url);

// The settings, else https_proxy or all_proxy without what no_proxy names. Errors never hold a password:
// kInvalidArgument (no address of a proxy), kFailedPrecondition (the login file).
Result<Proxy> choose_proxy(const ProxySettings& settings, const Environment& environment, const std::string& server);

// Whether a no_proxy list names the host: "*", names with everything below them, addresses, IPv4 networks (10.0.0.0/8).
bool is_exempt(std::string_view no_proxy, std::string_view host);

}  // namespace da::planner::model
