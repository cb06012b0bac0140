// A provider's model over HTTP: a wire format, a key and a client. One thread at a time.
#pragma once

#include <memory>

#include "services/planner/model/http/http_client.h"
#include "services/planner/model/model.h"

namespace da::planner::model {

// Replaces the key, plain or with JSON escapes, in a server's answer, which may repeat it (for example in an error), so
// that it does not reach logs, bus messages and terminals. Ignores keys under 8 characters: they are given to servers
// without keys, and replies may contain such words.
void blank_key(std::string& text, std::string_view key);

class HttpModel final : public Model {
 public:
  // The key may be empty, for servers without keys.
  HttpModel(std::string provider, std::string model, std::unique_ptr<WireFormat> format, std::string key,
            HttpSettings settings);

  const std::string& provider() const override { return provider_; }
  const std::string& name() const override { return model_; }
  tl::expected<Reply, Failure> answer(const Request& request, Milliseconds timeout, std::stop_token stop) override;

 private:
  const std::string provider_;
  const std::string model_;
  const std::unique_ptr<WireFormat> format_;
  const std::string key_;  // Secret: only for its header.
  HttpClient client_;
};

}  // namespace da::planner::model
