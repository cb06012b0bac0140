// The run of a profile as a recording holds it (docs/RECORDING.md): its evaluations, the observer's answers that they
// used, and what the rules did. Plain values; everything in a recording is foreign.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "da/v1/history.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "da/v1/task.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/recording/reading/recording_reader.h"

namespace da::planner::rules {

struct RecordedEvaluation {
  v1::RulesEvaluated fact;
  std::vector<v1::RuleEvent> events;  // Those that name this evaluation, in their order.
};

struct RecordedRun {
  std::shared_ptr<const recording::RecordingReader> recording;
  std::string task_id;
  v1::ProfileRun profile;                               // Templates have digests instead of contents.
  std::vector<RecordedEvaluation> evaluations;          // Sorted by number.
  std::map<std::uint64_t, v1::ObserverAnswer> answers;  // Keyed by the request's number.
  std::map<std::string, std::uint64_t> pictures;        // Log time of the image facts, by hash.
  std::string damage;                                   // Why only a part could be read; empty if all of it was.
  std::uint64_t lost = 0;  // Facts that the recording marks as lost, of the topics that count here.
};

// Of a recording of several tasks, the first one that runs a profile. Of a damaged recording, what can be read.
// kInvalidArgument: no recording, or it has no evaluated rules. kResourceExhausted: more than 512 MiB of facts.
Result<RecordedRun> read_recorded_run(const std::filesystem::path& file);

// The image fact with this hash; kNotFound if the recording has none, kDataLoss if its content does not have the hash.
Result<v1::ImageFact> read_picture(const RecordedRun& run, const std::string& hash);

}  // namespace da::planner::rules
