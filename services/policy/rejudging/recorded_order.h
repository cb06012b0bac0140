// Puts the facts of the policy back into the order of their publication. In a recording a fact that the bus had lost
// comes after later facts of other topics. Holds back a bounded number of facts for that; a fact that comes later than
// these keeps its place. Single-threaded.
//
//   RecordedOrder order([&](const RecordedOrder::Fact& fact) { return task.add(fact); });
//   RETURN_IF_ERROR(recording->facts(range, [&](const auto& fact) { return order.add(fact); }));
//   RETURN_IF_ERROR(order.finish());
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "lib/recording/reading/recording_reader.h"

namespace da::policy {

class RecordedOrder {
 public:
  using Fact = recording::RecordingReader::Fact;  // Its payload is empty.
  using Take = std::function<Result<void>(const Fact& fact)>;

  explicit RecordedOrder(Take take) : take_(std::move(take)) {}

  // Returns the first error of `take`. Call finish() after the last fact.
  Result<void> add(const Fact& fact);
  Result<void> finish();

 private:
  struct Held {
    Fact fact;
    std::size_t bytes = 0;
  };
  Result<void> pass_on_first();

  const Take take_;
  // The start of the policy that all held facts are of. A later start published later.
  std::string instance_;
  std::uint64_t added_ = 0;
  std::map<std::pair<std::int64_t, std::uint64_t>, Held> held_;  // Ordered by monotonic time, then by arrival.
  std::size_t bytes_ = 0;
};

}  // namespace da::policy
