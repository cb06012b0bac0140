// Texts about a recording that several commands print. Pure; any thread. Foreign text is escaped.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lib/recording/reading/recording_summary.h"

namespace da::console {

// A value of about or end; empty if there is none.
std::string value_of(const recording::RecordingSummary::Values& values, const std::string& name);

// "done" for TASK_END_DONE; "" if the recording has no result.
std::string result_word(const recording::RecordingSummary& summary);

// "0.6 s", "4 m 05 s"
std::string duration_text(double seconds);
// "812 B", "480 KB", "1.2 GB"; in powers of 1000.
std::string size_text(std::uint64_t bytes);
// "2026-11-25T02:09:55.123Z"; empty for 0.
std::string time_text(std::uint64_t wall_ns);

// What `recordings --json` and `recording info --json` have in common.
nlohmann::ordered_json summary_json(const recording::RecordingSummary& summary);

}  // namespace da::console
