// Reads every fact of the bus as it was sent. Facts that the bus lost are fetched from their publisher; those that it
// no longer has are gaps. A publisher that gives nothing gets at most a fifth of this thread's time, because a hostile
// one could stop the reading otherwise. Facts of one topic come in order; a fetched one may come after later facts of
// other topics. The callbacks and PublishedFacts must outlive it. One thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "da/v1/recording.pb.h"
#include "lib/bus/sequence_gaps.h"
#include "lib/recording/recorded_fact.h"

namespace da::recording {

// What the publishers still have. Implemented by published_facts_rpc.h.
class PublishedFacts {
 public:
  struct Latest {
    std::string writer;
    std::string instance;
    std::map<std::string, std::uint64_t> sequences;  // Sequence number of each topic's last fact.
  };

  virtual ~PublishedFacts() = default;
  // Omits publishers that do not answer.
  virtual std::vector<Latest> latest() = 0;
  // Passes the payloads of those that the publisher still has, in order. False if it did not answer, or not to the end.
  virtual bool fetch(const std::string& writer, const bus::Gap& gap,
                     const std::function<void(std::string payload)>& take) = 0;
};

class FactIntake {
 public:
  struct Callbacks {
    std::function<void(RecordedFact fact)> fact;
    std::function<void(v1::RecordingGap gap)> gap;
  };

  FactIntake(std::unique_ptr<bus::Source> source, PublishedFacts& published, Callbacks callbacks)
      : source_(std::move(source)), published_(published), callbacks_(std::move(callbacks)) {}

  // Waits until all subscriptions are active. Every later fact is passed on, or part of a gap. After an error, every
  // fact of the publishers that did not answer is passed on, or part of a gap, also those before begin().
  Result<void> begin(MonoTime deadline);
  // Passes on the next message that arrives until then. Returns whether one did.
  Result<bool> read(MonoTime deadline);
  // Fetches what was published and has not arrived.
  void catch_up();

  // Messages that were no facts, or cannot be parsed.
  std::uint64_t malformed() const { return malformed_; }

 private:
  // The time of fetches that gave nothing.
  struct Debt {
    Nanoseconds time;
    MonoTime since;
  };

  void take(bus::RawFact raw);
  void begin_sequence(const std::string& topic, const std::string& instance);
  void fill(const std::string& writer, const bus::Gap& gap);
  Nanoseconds debt(const std::string& writer, MonoTime now) const;

  const std::unique_ptr<bus::Source> source_;
  PublishedFacts& published_;
  const Callbacks callbacks_;
  bus::SequenceGaps gaps_;
  std::uint64_t malformed_ = 0;
  std::map<std::string, Debt> debts_;  // Keyed by writer.
};

}  // namespace da::recording
