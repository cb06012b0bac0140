// One POST to a model's server, over libcurl. Encrypted wherever a network lies between: a plain http:// address is
// taken for this machine alone, because the key travels with the request. Redirects are not followed: a key is for the
// server that was named. One thread at a time; the stop token may be used by another.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/wire_format.h"

namespace da::planner::model {

struct HttpSettings {
  std::string ca_file;  // PEM, of who signs servers' certificates; empty: the system's.
  std::string proxy;    // Empty: as the environment says (https_proxy, no_proxy).
};

struct HttpAnswer {
  int status = 0;
  std::string content_type;  // Without parameters, lower case; empty where it was not said.
  std::optional<Milliseconds> retry_after;
  std::string body;  // Decompressed; at most kMaxAnswerBytes.
};

inline constexpr std::size_t kMaxAnswerBytes = 16 << 20;

class HttpClient {
 public:
  explicit HttpClient(HttpSettings settings);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // The key's header may be empty. Errors name the server, never the key: kUnavailable (it cannot be reached, dropped
  // the connection or sent half of an answer), kDeadlineExceeded, kCancelled (at once, wherever it is),
  // kFailedPrecondition (its certificate does not hold), kDataLoss (an answer that is too large or cannot be
  // decompressed), kInvalidArgument (the address).
  Result<HttpAnswer> post(const HttpRequest& request, const std::pair<std::string, std::string>& key_header,
                          Milliseconds timeout, std::stop_token stop);

 private:
  struct Curl;
  const HttpSettings settings_;
  std::unique_ptr<Curl> curl_;  // Keeps its connection from call to call.
};

// Whether a key may be sent there: https, or http to this machine. Pure.
Result<void> check_address(const std::string& url);

}  // namespace da::planner::model
