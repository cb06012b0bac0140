#include "services/planner/model/http/proxy.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/planner/model/http/address.h"
#include "services/planner/model/http/url_parts.h"

namespace da::planner::model {
namespace {

constexpr std::array kSchemes = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
// Listed in libcurl's order. http_proxy is missing, because it applies to addresses without TLS.
constexpr std::array kVariables = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
constexpr std::array kExemptions = {"no_proxy", "NO_PROXY"};

// The name and value of the first variable that is set.
template <std::size_t size>
std::optional<std::pair<std::string, std::string>> first_variable(const std::array<const char*, size>& names,
                                                                  const Environment& environment) {
  for (const char* name : names) {
    if (auto value = environment(name)) return std::pair(std::string(name), *std::move(value));
  }
  return std::nullopt;
}

// The default scheme is http. `why` names the setting or variable.
Result<Proxy> parse_proxy(const std::string& address, const std::string& why) {
  const bool has_scheme = address.find("://") != std::string::npos;
  const Url url = parse_url(has_scheme ? address : "http://" + address, CURLU_NON_SUPPORT_SCHEME);
  const std::string scheme = url == nullptr ? "" : part_of(url, CURLUPART_SCHEME);
  if (std::ranges::find(kSchemes, scheme) == kSchemes.end()) {
    return Error{Code::kInvalidArgument,
                 why + " is not a proxy address: use http://proxy.example:3128, https://... or socks5h://..."};
  }
  const std::string port = part_of(url, CURLUPART_PORT);
  const std::string host = part_of(url, CURLUPART_HOST);
  Proxy proxy{scheme + "://" + escape_foreign(host, 200) + (port.empty() ? "" : ":" + port), "", why};
  const std::string user = part_of(url, CURLUPART_USER);
  const std::string password = part_of(url, CURLUPART_PASSWORD);
  if (!user.empty() || !password.empty()) proxy.login = user + ":" + password;
  return proxy;
}

Result<std::string> read_login(const std::filesystem::path& file) {
  const auto text = os::read_private_file(file);
  if (!text) return Error{Code::kFailedPrecondition, text.error().message};
  const std::string login(trim(*text));
  const auto colon = login.find(':');
  if (colon == std::string::npos || colon == 0) {
    return Error{Code::kFailedPrecondition, file.string() + " is not USER:PASSWORD"};
  }
  return percent_encoded(login.substr(0, colon)) + ":" + percent_encoded(login.substr(colon + 1));
}

std::optional<std::uint32_t> ipv4_of(const std::string& text) {
  in_addr address{};
  if (inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

bool is_in_network(const std::string& network, const std::string& host) {
  const auto slash = network.find('/');
  const auto base = ipv4_of(network.substr(0, slash));
  const auto address = ipv4_of(host);
  unsigned bits = 0;
  const char* const end = network.data() + network.size();
  const auto read = std::from_chars(network.data() + slash + 1, end, bits);
  if (!base || !address || read.ec != std::errc() || read.ptr != end || bits > 32) return false;
  const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
  return (*base & mask) == (*address & mask);
}

bool covers_host(std::string name, const std::string& host) {
  if (name == "*") return true;
  if (name.find('/') != std::string::npos) return is_in_network(name, host);
  if (name.starts_with('.')) name.erase(0, 1);
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) return false;
  if (host == name || host == "[" + name + "]") return true;
  return !ipv4_of(host) && host.ends_with("." + name);
}

}  // namespace

bool is_exempt(std::string_view no_proxy, std::string_view host) {
  std::string folded = fold_case(host);
  if (folded.ends_with('.')) folded.pop_back();
  while (!no_proxy.empty()) {
    const auto end = std::min(no_proxy.find_first_of(", \t"), no_proxy.size());
    if (end > 0 && covers_host(fold_case(no_proxy.substr(0, end)), folded)) return true;
    no_proxy.remove_prefix(std::min(end + 1, no_proxy.size()));
  }
  return false;
}

Result<void> check_proxy(const std::string& url) {
  ASSIGN_OR_RETURN(const Proxy proxy, parse_proxy(url, "planner.proxy"));
  if (proxy.login.empty()) return ok();
  return Error{Code::kInvalidArgument,
               "planner.proxy contains a user or password: put USER:PASSWORD into a file of mode 0600 and name it in "
               "planner.proxy_login_file"};
}

Result<Proxy> choose_proxy(const ProxySettings& settings, const Environment& environment, const std::string& server) {
  const std::string host = host_of(server);
  if (is_this_machine(host)) return Proxy();
  if (!settings.url.empty()) {
    RETURN_IF_ERROR(check_proxy(settings.url));
    ASSIGN_OR_RETURN(Proxy proxy, parse_proxy(settings.url, "planner.proxy"));
    if (!settings.login_file.empty()) {
      ASSIGN_OR_RETURN(proxy.login, read_login(settings.login_file));
    }
    return proxy;
  }
  const auto named = first_variable(kVariables, environment);
  const auto exempt = first_variable(kExemptions, environment);
  if (!named || (exempt && is_exempt(exempt->second, host))) return Proxy();
  return parse_proxy(named->second, named->first);
}

}  // namespace da::planner::model
