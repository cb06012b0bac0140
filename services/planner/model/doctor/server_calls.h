// Asks a model's server about its models, with one time limit for all calls. One thread.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/http/http_client.h"
#include "services/planner/model/settings/choice.h"

namespace da::planner::model {

class ServerCalls {
 public:
  ServerCalls(const Access& access, const HttpSettings& settings, const Environment& environment, const Clock& clock,
              MonoTime until);

  // Return the JSON of a 2xx answer. Errors: those of HttpClient and read_http_error(); kDataLoss if the answer is not
  // JSON. No error contains the key.
  Result<nlohmann::json> get(const std::string& url, Headers headers = {});
  Result<nlohmann::json> post(const std::string& url, const nlohmann::json& body);

  // Duration of the first call with an answer of any status; nullopt: the server was not reached.
  std::optional<Milliseconds> reached() const { return reached_; }

 private:
  Result<nlohmann::json> read(Result<HttpAnswer> answer, MonoTime begun);
  KeyHeader key_header() const;
  Milliseconds left() const;

  const Access& access_;
  const std::unique_ptr<WireFormat> format_;  // Makes the key's header.
  HttpClient client_;
  const Clock& clock_;
  const MonoTime until_;
  std::optional<Milliseconds> reached_;
};

}  // namespace da::planner::model
