// A task's model budget: its limits and what is spent so far. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// 0 means no limit.
struct BudgetLimits {
  std::uint64_t tokens = 2'000'000;  // Input and output.
  double money = 0;                  // Amount in the price table's currency; the table must contain the model.
  std::uint32_t calls = 200;
  std::chrono::seconds time{0};  // Time waiting for answers.
};

// Prices of a million tokens.
struct Price {
  double input = 0;
  double cached_input = 0;
  double output = 0;
};

using PriceTable = std::map<std::string, Price, std::less<>>;  // Key: model.

double cost_of(const Usage& usage, const Price& price);

class Budget {
 public:
  explicit Budget(BudgetLimits limits) : limits_(limits) {}

  const BudgetLimits& limits() const { return limits_; }

  // Must be called before each call of the model. kResourceExhausted names the limit that is reached.
  Result<void> check() const;

  // Time left for waiting; nullopt without a limit.
  std::optional<Milliseconds> time_left() const;

  void add(const Usage& usage, double cost, Milliseconds time);

  // "3 calls, 12034 tokens, 8.1 s, cost 0.0412", for people.
  std::string spent() const;

 private:
  const BudgetLimits limits_;
  std::uint64_t tokens_ = 0;
  double money_ = 0;
  std::uint32_t calls_ = 0;
  Milliseconds time_{0};
};

}  // namespace da::planner::model
