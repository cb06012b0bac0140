// Calls of a model's server, over libcurl. Encrypted wherever a network lies between: a plain http:// address is
// taken for this machine alone, because the key travels with the request. Redirects are not followed: a key is for the
// server that was named. A request is sent once: libcurl would send it again where a kept connection breaks, and a
// model's provider may have charged for both. One thread at a time; the stop token may be used by another.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/environment.h"
#include "services/planner/model/http/address.h"
#include "services/planner/model/http/proxy.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

struct HttpSettings {
  std::string ca_file;  // PEM, of who signs servers' certificates; empty: the system's.
  ProxySettings proxy;
};

struct HttpAnswer {
  int status = 0;
  std::string content_type;  // Without parameters, lower case; empty where it was not said.
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

  // The key's header may be empty. Errors name the server and the proxy, never a key or a password: kUnavailable (it
  // cannot be reached, dropped the connection or sent half of an answer), kDeadlineExceeded, kCancelled (at once,
  // wherever it is), kFailedPrecondition (its certificate does not hold, the proxy refuses), kDataLoss (an answer that
  // is too large or cannot be decompressed), kInvalidArgument (the address, of the server or of the proxy).
  Result<HttpAnswer> post(const HttpRequest& request, const KeyHeader& key, Milliseconds timeout,
                          std::stop_token stop) {
    return send(Method::kPost, request, key, timeout, std::move(stop));
  }
  // Without the request's body.
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
  std::unique_ptr<Curl> curl_;  // Keeps its connection from call to call.
};

}  // namespace da::planner::model
