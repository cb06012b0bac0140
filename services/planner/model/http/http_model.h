// A provider's model over HTTP: a wire format, a key and a client. One thread at a time.
#pragma once

#include <memory>

#include "services/planner/model/http/http_client.h"
#include "services/planner/model/model.h"

namespace da::planner::model {

// A server that repeats the key, in an error say, must not bring it into logs, facts and terminals; nor one that writes
// it with JSON's escapes. A word of a few characters, which servers without keys are given, is no secret, and replies may
// well hold it.
void blank_key(std::string& text, std::string_view key);

class HttpModel final : public Model {
 public:
  // The key may be empty, for servers that want none.
  HttpModel(std::string provider, std::string model, std::unique_ptr<WireFormat> format, std::string key,
            HttpSettings settings);

  const std::string& provider() const override { return provider_; }
  const std::string& name() const override { return model_; }
  tl::expected<Reply, Failure> answer(const Request& request, Milliseconds timeout, std::stop_token stop) override;

 private:
  const std::string provider_;
  const std::string model_;
  const std::unique_ptr<WireFormat> format_;
  const std::string key_;  // Secret: goes into its header alone.
  HttpClient client_;
};

}  // namespace da::planner::model
