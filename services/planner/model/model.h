// Interface of what answers dialogues: a provider over HTTP, or a file of saved calls. One thread at a time.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// A failed try.
struct Failure {
  Error error;
  std::optional<Milliseconds> retry_after;
};

class Model {
 public:
  virtual ~Model() = default;
  virtual const std::string& provider() const = 0;  // "openai"
  virtual const std::string& name() const = 0;      // The requested model.
  // The provider whose image limits apply. Saved calls return the provider that answered, so that requests stay equal.
  virtual const std::string& sized_for() const { return provider(); }
  // False if answers are free, whatever the model's price.
  virtual bool is_paid() const { return true; }
  // Errors: see wire_format.h and http_client.h; kCancelled at once when stop is requested.
  virtual tl::expected<Reply, Failure> answer(const Request& request, Milliseconds timeout, std::stop_token stop) = 0;
};

}  // namespace da::planner::model
