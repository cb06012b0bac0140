// The actions of providers' own computer tools, as calls of our tools: a table for each provider. What comes out is as
// untrusted as what went in; it is read by the contract's parser like every other reply, and judged like every step.
// Pure; any thread.
//
//   OpenAI Responses     platform.openai.com/docs/guides/tools-computer-use; types of the npm package openai 6.49
//   Anthropic Messages   platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool: computer_20241022,
//                        _20250124, _20251124 and computer_toolset_20260801, whose tools are named as the actions were
//   Gemini               ai.google.dev/gemini-api/docs/computer-use: the functions of 2.5 and those since 3.5
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

enum class Vocabulary { kOpenAi, kAnthropic, kGemini };

// What the model sees; image pixels. Actions that name no place are meant where the pointer is.
struct Screen {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Point pointer;  // Moves along with the actions that are read.
};

struct OurCall {
  std::string tool;  // Of the catalogue.
  nlohmann::ordered_json args;
  std::string why;  // Where the action itself says so.
};

// At least one for each action: one that only looks becomes a wait of no length, for a look follows every plan.
// kInvalidArgument, naming action and argument: an action that is not known, an argument that is missing, of a wrong
// type or not known, or what no tool of ours can do.
Result<std::vector<OurCall>> our_calls(Vocabulary vocabulary, const ToolCall& call, Screen& screen);

}  // namespace da::planner::model
