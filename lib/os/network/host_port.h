// Splits configured addresses: "10.0.0.3:7443", "[::1]:7443", "host:7443", each also after "ipv4:" or "ipv6:". Pure;
// any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace da::os {

struct HostPort {
  std::string host;  // An IPv6 address has no brackets here.
  std::string port;
};

// nullopt: "unix:..." or an address without a port.
inline std::optional<HostPort> parse_host_port(std::string_view address) {
  if (address.starts_with("unix:")) return std::nullopt;
  for (const std::string_view scheme : {"ipv4:", "ipv6:"}) {
    if (address.starts_with(scheme)) address.remove_prefix(scheme.size());
  }
  const auto colon = address.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return HostPort{std::string(host), std::string(address.substr(colon + 1))};
}

}  // namespace da::os
