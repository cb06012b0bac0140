// HTTP client for model servers, on libcurl. The key travels with each request, so plain http:// is accepted for this
// machine only, and redirects are not followed. A request is sent at most once: libcurl's silent resend after a broken
// connection could be charged twice. One thread at a time; any thread may use the stop token.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/http/address.h"
#include "services/planner/model/http/proxy.h"
#include "services/planner/model/settings/environment.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

struct HttpSettings {
  std::string ca_file;  // PEM file of certificate authorities; empty: the system's.
  ProxySettings proxy;
};

struct HttpAnswer {
  int status = 0;
  std::string content_type;  // Lower case, without parameters; empty if missing.
  std::optional<Milliseconds> retry_after;
  std::string body;  // Decompressed; at most kMaxReceivedBytes.
};

using KeyHeader = std::pair<std::string, std::string>;  // Name and value.

inline constexpr std::size_t kMaxReceivedBytes = 16 << 20;

class HttpClient {
 public:
  explicit HttpClient(HttpSettings settings, Environment environment = process_environment());
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // The key's header may be empty. Errors name the server and the proxy, but never contain a key or a password:
  //   kUnavailable         the server cannot be reached, dropped the connection or sent an incomplete answer
  //   kDeadlineExceeded, kCancelled (at once, in every phase)
  //   kFailedPrecondition  the certificate is not valid, or the proxy refuses
  //   kDataLoss            the answer is too large or cannot be decompressed
  //   kInvalidArgument     the address of the server or of the proxy
  Result<HttpAnswer> post(const HttpRequest& request, const KeyHeader& key, Milliseconds timeout,
                          std::stop_token stop) {
    return send(Method::kPost, request, key, timeout, std::move(stop));
  }
  // Does not send the request's body.
  Result<HttpAnswer> get(const HttpRequest& request, const KeyHeader& key, Milliseconds timeout, std::stop_token stop) {
    return send(Method::kGet, request, key, timeout, std::move(stop));
  }

 private:
  enum class Method { kPost, kGet };
  struct Curl;

  Result<HttpAnswer> send(Method method, const HttpRequest& request, const KeyHeader& key, Milliseconds timeout,
                          std::stop_token stop);

  const HttpSettings settings_;
  const Environment environment_;
  std::unique_ptr<Curl> curl_;  // Keeps its connection between calls.
};

}  // namespace da::planner::model
