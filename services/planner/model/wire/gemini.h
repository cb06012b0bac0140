// Gemini generateContent, v1beta. Source: ai.google.dev/api/generate-content; types of the npm package
// @google/genai 2.32. Pure; any thread.
#pragma once

#include <string_view>
#include <utility>

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

class Gemini final : public WireFormat {
 public:
  explicit Gemini(Target target) : target_(std::move(target)) {}

  HttpRequest build(const Request& request) const override;
  std::pair<std::string, std::string> key_header(std::string_view key) const override;
  Result<Reply> read(int status, std::string_view body) const override;

 private:
  Target target_;
};

}  // namespace da::planner::model
