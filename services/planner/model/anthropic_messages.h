// Anthropic Messages. Source: platform.claude.com/docs/en/api/messages; types of the npm package
// @anthropic-ai/sdk 1.12. Pure; any thread.
#pragma once

#include <string_view>
#include <utility>

#include "services/planner/model/wire_format.h"

namespace da::planner::model {

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
