// The files of services/planner/prompts, compiled in by prompts/embed.cmake. Constants.
#pragma once

namespace da::planner::model {

extern const char kComputerPrompt[];
extern const char kComputerRepairPrompt[];
extern const char kDecisionPrompt[];
extern const char kDrawnGridPrompt[];
extern const char kDrawnMarksPrompt[];
extern const char kDrawnNothingPrompt[];
extern const char kFindPrompt[];
extern const char kQuestionPrompt[];
extern const char kRepairPrompt[];
extern const char kSystemPrompt[];

}  // namespace da::planner::model
