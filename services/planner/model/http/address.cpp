#include "services/planner/model/http/address.h"

#include <arpa/inet.h>

#include "lib/base/text.h"
#include "services/planner/model/http/url_parts.h"

namespace da::planner::model {
namespace {

constexpr std::size_t kShownAddress = 200;

}  // namespace

std::string server_of(const std::string& address) {
  const Url url = parse_url(address);
  if (url == nullptr) return "the model's server";
  const std::string port = part_of(url, CURLUPART_PORT);
  return escape_foreign(
      part_of(url, CURLUPART_SCHEME) + "://" + part_of(url, CURLUPART_HOST) + (port.empty() ? "" : ":" + port),
      kShownAddress);
}

std::string host_of(const std::string& address) {
  const Url url = parse_url(address);
  return url == nullptr ? "" : part_of(url, CURLUPART_HOST);
}

bool is_this_machine(const std::string& host) {
  in_addr address{};
  const bool loopback = inet_pton(AF_INET, host.c_str(), &address) == 1 && host.starts_with("127.");
  return loopback || fold_case(host) == "localhost" || host == "[::1]";
}

Result<void> check_address(const std::string& address) {
  const Url url = parse_url(address);
  if (url == nullptr) {
    return Error{Code::kInvalidArgument, "the model's address is not a URL: use https://..."};
  }
  const std::string shown = "\"" + server_of(address) + "\"";
  if (!part_of(url, CURLUPART_USER).empty() || !part_of(url, CURLUPART_PASSWORD).empty()) {
    return Error{Code::kInvalidArgument, "the model's address " + shown + " contains a user or password: use a key"};
  }
  const std::string scheme = part_of(url, CURLUPART_SCHEME);
  if (scheme == "https" || (scheme == "http" && is_this_machine(part_of(url, CURLUPART_HOST)))) return ok();
  return Error{Code::kInvalidArgument,
               "the model's address " + shown + " is not encrypted: use https://, or http:// for this machine"};
}

}  // namespace da::planner::model
