// Asks a model's server what it says of itself, within one time limit for all calls. One thread.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/choice.h"
#include "services/planner/model/http/http_client.h"

namespace da::planner::model {

class ServerCalls {
 public:
  ServerCalls(const Access& access, const HttpSettings& settings, const Environment& environment, const Clock& clock,
              MonoTime until);

  // url without what stands before the path: "/models". JSON of a success. Errors as of HttpClient and
  // read_http_error (http_errors.h); kDataLoss where a success is no JSON. None holds the key.
  Result<nlohmann::json> get(const std::string& url, Headers headers = {});
  Result<nlohmann::json> post(const std::string& url, const nlohmann::json& body);

  // How long the first call took that was answered, whatever the answer was; nullopt: the server was not reached.
  std::optional<Milliseconds> reached() const { return reached_; }

 private:
  Result<nlohmann::json> read(Result<HttpAnswer> answer, MonoTime begun);
  KeyHeader key_header() const;
  Milliseconds left() const;

  const Access& access_;
  const std::unique_ptr<WireFormat> format_;  // Knows where the key goes.
  HttpClient client_;
  const Clock& clock_;
  const MonoTime until_;
  std::optional<Milliseconds> reached_;
};

}  // namespace da::planner::model
