// Anthropic Messages. Source: platform.claude.com/docs/en/api/messages; types of the npm package
// @anthropic-ai/sdk 1.12. Pure; any thread.
#pragma once

#include <string_view>
#include <utility>

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

// Whether there is such a version of the computer tool; the error lists those that there are.
Result<void> check_computer_tool(const std::string& type);

class AnthropicMessages final : public WireFormat {
 public:
  explicit AnthropicMessages(Target target) : target_(std::move(target)) {}

  HttpRequest build(const Request& request) const override;
  std::pair<std::string, std::string> key_header(std::string_view key) const override;
  Result<Reply> read(int status, std::string_view body) const override;

 private:
  Target target_;
};

}  // namespace da::planner::model
