// The OpenAI Responses API. Each request contains the whole dialogue, so that the provider need not store anything.
// Source: platform.openai.com/docs/api-reference/responses; types of the npm package openai 6.49.
// Pure; any thread.
#pragma once

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

class OpenAiResponses final : public WireFormat {
 public:
  using WireFormat::WireFormat;

  HttpRequest build(const Request& request) const override;

 private:
  Result<Reply> read_success(const AnswerObject& answer) const override;
};

}  // namespace da::planner::model
