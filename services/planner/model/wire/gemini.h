// The Gemini API generateContent, v1beta. Source: ai.google.dev/api/generate-content; types of the npm package
// @google/genai 2.32. Pure; any thread.
#pragma once

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

class Gemini final : public WireFormat {
 public:
  using WireFormat::WireFormat;

  HttpRequest build(const Request& request) const override;
  std::pair<std::string, std::string> key_header(std::string_view key) const override;

 private:
  Result<Reply> read_success(const AnswerObject& answer) const override;
};

}  // namespace da::planner::model
