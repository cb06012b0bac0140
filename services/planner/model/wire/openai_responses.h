// OpenAI Responses. Nothing is kept at the provider: the dialogue is told whole with each request.
// Source: platform.openai.com/docs/api-reference/responses; types of the npm package openai 6.49.
// Pure; any thread.
#pragma once

#include <string_view>
#include <utility>

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

class OpenAiResponses final : public WireFormat {
 public:
  explicit OpenAiResponses(Target target) : target_(std::move(target)) {}

  HttpRequest build(const Request& request) const override;
  std::pair<std::string, std::string> key_header(std::string_view key) const override;
  Result<Reply> read(int status, std::string_view body) const override;

 private:
  Target target_;
};

}  // namespace da::planner::model
