// One task as people read it afterwards: what was proposed, judged, asked, answered and done, in order. Plain data,
// read from a recording by story_reader.h. A recording may lack facts, so that each part may be missing. All texts are
// foreign: they are not escaped yet. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/history.pb.h"
#include "da/v1/model.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"

namespace da::console {

struct ApprovalCounts {
  std::uint64_t asked = 0;
  std::uint64_t approved = 0;
  std::uint64_t denied = 0;
  std::uint64_t expired = 0;
  std::uint64_t withdrawn = 0;  // The task ended first.
  std::uint64_t edited = 0;

  void add(const v1::ApprovalDecision& decision);
};

struct StoryApproval {
  std::optional<v1::ApprovalRequest> request;  // Stored without picture and pixels.
  WallTime asked{};
  std::optional<v1::ApprovalDecision> decision;
  WallTime answered{};
  std::string picture_hash;  // Key in TaskStory::images; empty if no picture was kept.
};

struct StoryOutcome {
  v1::Outcome outcome;
  WallTime at{};
};

struct StoryStep {
  v1::Step step;                           // The step as proposed.
  WallTime at{};                           // The first fact about it.
  std::string frame_id;                    // The frame that the plan is based on.
  std::vector<v1::StepJudged> judgements;  // Stored without pixels.
  std::optional<v1::Verdict> verdict;      // The last one.
  WallTime judged{};
  std::vector<StoryApproval> approvals;
  std::string grant_approver;  // "policy" or a person; empty: nothing was granted.
  std::vector<StoryOutcome> outcomes;
  std::optional<v1::StepAnswered> answer;  // Set for a step that the planner carried out itself.
  WallTime ended{};

  // The screenshot that the step was decided on; the one before it if that frame had none.
  enum class Match { kNone, kSameFrame, kEarlier };
  Match match = Match::kNone;
  std::size_t screenshot = 0;  // Index in TaskStory::screenshots.
};

struct StoryCall {
  v1::ModelCall call;  // Stored without its request.
  std::string words;   // "gpt-5 answered after 2.1 s, 1200 + 80 tokens"; escaped for a terminal.
  WallTime at{};
};

// Anything else that people want to know: a pause, a halt, a question, a line of a log.
struct StoryEvent {
  WallTime at{};
  std::string noun;  // "lock"
  std::string text;  // Escaped for a terminal.
  enum class Weight { kUsual, kNotable } weight = Weight::kUsual;
};

// An observation with an image.
struct StoryScreenshot {
  std::string image_hash;
  std::string frame_id;
  v1::CoordinateContract coordinates;
  WallTime at{};
};

// An image that the recording holds. Its bytes are read again when they are written.
struct StoryImage {
  std::string media_type;
  std::uint32_t width = 0;  // Pixels; 0 if unknown.
  std::uint32_t height = 0;
  WallTime at{};
};

struct StoryEntry {
  enum class Kind { kStep, kCall, kEvent } kind;
  std::size_t index;  // In steps, calls or events.
  WallTime at{};
};

struct TaskStory {
  std::string file;
  std::map<std::string, std::string> about;  // RecordingReader::about() and end(); TaskOpened adds missing values.
  std::map<std::string, std::string> end;
  WallTime began{};  // The first and the last fact.
  WallTime last{};
  std::optional<v1::TaskOpened> opened;
  std::optional<v1::TaskAccepted> accepted;
  std::optional<v1::TaskResult> result;
  std::vector<v1::RuleFile> rules;  // Each version once, in the order in which they came into force.

  std::vector<StoryStep> steps;
  std::vector<StoryCall> calls;
  std::vector<StoryEvent> events;
  std::vector<StoryEntry> entries;  // All of them in order.
  std::vector<StoryScreenshot> screenshots;
  std::map<std::string, StoryImage> images;  // Keyed by hash. Empty unless the story was read with images.

  ApprovalCounts approvals;
  std::uint64_t failures = 0;  // Parts that failed without a step, or after it was carried out (PartFailed).
  std::uint64_t lost = 0;      // Facts that the recording lacks.
  std::uint64_t left_out = 0;  // Facts beyond the limit of memory.
  std::string problem;         // Why the recording is not complete; empty if it is.

  std::string task_id() const;
  std::string goal() const;
};

}  // namespace da::console
