// The Anthropic Messages API. Source: platform.claude.com/docs/en/api/messages; types of the npm package
// @anthropic-ai/sdk 1.12. Pure; any thread.
#pragma once

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

// Checks a version of the computer tool, "computer_20251124"; the error lists the known versions.
Result<void> check_computer_tool(const std::string& type);

class AnthropicMessages final : public WireFormat {
 public:
  using WireFormat::WireFormat;

  HttpRequest build(const Request& request) const override;
  std::pair<std::string, std::string> key_header(std::string_view key) const override;

 private:
  Result<Reply> read_success(const AnswerObject& answer) const override;
};

}  // namespace da::planner::model
