// Whatever answers a dialogue: a provider over HTTP, or a file of saved calls. One thread at a time.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// One try, which failed.
struct Failure {
  Error error;
  std::optional<Milliseconds> retry_after;
};

class Model {
 public:
  virtual ~Model() = default;
  virtual const std::string& provider() const = 0;  // "openai"
  virtual const std::string& name() const = 0;      // The model that is asked for.
  // The provider that images are sized for. Another one where calls are played back: the questions must be the same.
  virtual const std::string& sized_for() const { return provider(); }
  // False where an answer costs nothing, whatever its model's price.
  virtual bool is_paid() const { return true; }
  // Errors as wire_format.h and http_client.h have them; kCancelled at once where stop is requested.
  virtual tl::expected<Reply, Failure> answer(const Request& request, Milliseconds timeout, std::stop_token stop) = 0;
};

}  // namespace da::planner::model
