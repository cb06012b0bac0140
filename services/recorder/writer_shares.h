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
  // Marks of one topic that wait. Beyond that the last one grows over facts of other tasks in between.
  static constexpr std::size_t kMostGaps = 1'000;

  // `bytes`: what one writer may add in all, before compression.
  explicit WriterShares(std::uint64_t bytes) : bytes_(bytes) {}

  // Once a writer is too fast, it waits until half of a burst is forgotten: each refusal costs a mark.
  bool admits(const recording::RecordedFact& fact, MonoTime now);
  void leave_out(const recording::RecordedFact& fact);
  // Also the facts that the bus has lost count, because a mark takes place, too: false if it is left out itself.
  bool admits(const v1::RecordingGap& lost, MonoTime now);
  void leave_out(const v1::RecordingGap& lost);
  // The marks of the topic's facts that were left out and not marked yet; they stand before the topic's next fact.
  std::vector<v1::RecordingGap> take_gaps(const std::string& topic);
  std::vector<v1::RecordingGap> take_all_gaps();
  void charge(const std::string& writer, std::uint64_t bytes, MonoTime now);

 private:
  struct Use {
    std::uint64_t bytes = 0;
    std::uint64_t burst = 0;  // Bytes of late: kBytesPerSecond of them are forgotten in a second.
    MonoTime at;              // The time of `burst`.
    bool waits = false;
  };
  bool admits(const std::string& writer, std::uint64_t size, MonoTime now);
  Use& use_of(const std::string& writer, MonoTime now);

  const std::uint64_t bytes_;
  std::map<std::string, Use> uses_;                            // Keyed by writer.
  std::map<std::string, std::vector<v1::RecordingGap>> gaps_;  // Waiting marks, keyed by topic.
};

}  // namespace da::recorder
