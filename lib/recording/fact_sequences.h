// Checks the sequence numbers of a recording's facts: those of each writer instance and topic must follow one another,
// except for the facts that are marked as lost. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "da/v1/header.pb.h"
#include "da/v1/recording.pb.h"

namespace da::recording {

class FactSequences {
 public:
  // Facts that are neither in the recording nor marked as lost, just before this one.
  std::optional<v1::RecordingGap> note(const std::string& topic, const v1::Header& header);
  // Likewise just before the marked ones.
  std::optional<v1::RecordingGap> note(const v1::RecordingGap& lost);

  // Whether the fact has the number of an earlier one, or a smaller one. Call it before note().
  bool is_out_of_order(const std::string& topic, const v1::Header& header) const;

 private:
  std::optional<v1::RecordingGap> note(const std::string& writer, const std::string& instance, const std::string& topic,
                                       std::uint64_t from, std::uint64_t to);

  std::map<std::pair<std::string, std::string>, std::uint64_t> last_;  // Keyed by topic and instance.
};

}  // namespace da::recording
