// Translates the actions of providers' own computer tools into calls of our tools, with one table per provider. The
// result is untrusted, like the input: the contract's parser reads it and the policy judges it. Pure; any thread.
//
//   OpenAI Responses     platform.openai.com/docs/guides/tools-computer-use; types of the npm package openai 6.49
//   Anthropic Messages   platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool: computer_20241022,
//                        _20250124, _20251124, and computer_toolset_20260801, whose tools have the actions' names
//   Gemini               ai.google.dev/gemini-api/docs/computer-use: the functions of 2.5, and those since 3.5
#pragma once

#include <vector>

#include "lib/base/result.h"
#include "services/planner/model/dialects/computer/computer_call.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

enum class Vocabulary { kOpenAi, kAnthropic, kGemini };

// Returns at least one call per action. An action that only looks becomes a wait of length 0, because an observation
// follows every plan. kInvalidArgument names action and argument: an unknown action, an argument that is unknown,
// missing or of a wrong type, or an action that none of our tools can do.
Result<std::vector<OurCall>> our_calls(Vocabulary vocabulary, const ToolCall& call, Screen& screen);

}  // namespace da::planner::model
