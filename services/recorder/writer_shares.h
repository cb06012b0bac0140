// How much of a recording one service may fill. The planner and the observer read foreign content; if one of them is
// taken over and floods its topics, its facts beyond the share are left out, and the recording of what the policy and
// the actuator did goes on. Those two have no share: they are trusted with the task itself.
//
//   if (!shares.admits(fact, now)) shares.leave_out(fact);          // and nothing is written
//   else { write(shares.take_gaps(topic)); write(fact); shares.charge(writer, bytes, now); }
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "da/v1/recording.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/recorded_fact.h"

namespace da::recorder {

class WriterShares {
 public:
  // A busy task on a large desktop publishes about 2 MB of screenshots in a second.
  static constexpr std::uint64_t kBytesPerSecond = 16 << 20;
  static constexpr std::uint64_t kBurstBytes = 64 << 20;
  // Marks of one topic. Beyond that the last one grows over facts of other tasks in between.
  static constexpr std::size_t kMostGaps = 1'000;

  // `bytes`: what one writer may add in all.
  explicit WriterShares(std::uint64_t bytes) : bytes_(bytes) {}

  bool admits(const recording::RecordedFact& fact, MonoTime now);
  void leave_out(const recording::RecordedFact& fact);
  // The marks of the topic's facts that were left out and not marked yet; they stand before the topic's next fact.
  std::vector<v1::RecordingGap> take_gaps(const std::string& topic);
  std::vector<v1::RecordingGap> take_all_gaps();
  void charge(const std::string& writer, std::uint64_t bytes, MonoTime now);

 private:
  struct Use {
    std::uint64_t bytes = 0;
    std::uint64_t burst = 0;  // Bytes of late: kBytesPerSecond of them are forgotten in a second.
    MonoTime at;              // The time of `burst`.
  };
  struct Gaps {
    std::vector<v1::RecordingGap> waiting;
    std::size_t taken = 0;
  };
  Use& use_of(const std::string& writer, MonoTime now);

  const std::uint64_t bytes_;
  std::map<std::string, Use> uses_;   // By writer.
  std::map<std::string, Gaps> gaps_;  // By topic.
};

}  // namespace da::recorder
