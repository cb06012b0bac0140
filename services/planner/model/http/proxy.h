// Chooses the proxy for a model's server. This machine is always reached directly, because its requests may lack TLS.
// libcurl does not choose, because its messages repeat the proxy's address with the password. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "services/planner/model/settings/environment.h"

namespace da::planner::model {

struct ProxySettings {
  std::string url;                   // [planner] proxy, for every server; empty: from the environment.
  std::filesystem::path login_file;  // "USER:PASSWORD", mode 0600; only for url.
};

struct Proxy {
  std::string url;    // "http://proxy.example:3128"; empty: no proxy. Also for people.
  std::string login;  // Secret. "user:password", both percent-encoded; may be empty.
  std::string why;    // "planner.proxy", "https_proxy".
};

// Checks the form of a proxy's address, which must not contain user and password.
Result<void> check_proxy(const std::string& url);

// Uses the settings, else https_proxy or all_proxy, with the exceptions in no_proxy. Errors never contain a password:
// kInvalidArgument (not a proxy address), kFailedPrecondition (the login file).
Result<Proxy> choose_proxy(const ProxySettings& settings, const Environment& environment, const std::string& server);

// True if a no_proxy list contains the host. Entries: "*", names including subdomains, addresses, IPv4 networks
// (10.0.0.0/8).
bool is_exempt(std::string_view no_proxy, std::string_view host);

}  // namespace da::planner::model
