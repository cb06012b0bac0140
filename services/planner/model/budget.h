// What a task may spend on its model, and what it has spent. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// 0: no limit.
struct BudgetLimits {
  std::uint64_t tokens = 2'000'000;  // Read and written.
  double money = 0;                  // In the currency of the price table, which must have the model.
  std::uint32_t calls = 200;
  std::chrono::seconds time{0};  // Spent waiting for answers.
};

// For a million tokens.
struct Price {
  double input = 0;
  double cached_input = 0;
  double output = 0;
};

using PriceTable = std::map<std::string, Price, std::less<>>;  // By model.

double cost_of(const Usage& usage, const Price& price);

class Budget {
 public:
  explicit Budget(BudgetLimits limits) : limits_(limits) {}

  // kResourceExhausted, naming what is used up; asked before each call.
  Result<void> check() const;

  // Of the time that may be spent waiting; nullopt where it has no limit.
  std::optional<Milliseconds> time_left() const;

  void add(const Usage& usage, double cost, Milliseconds time);

  // "3 calls, 12,034 tokens, 0.0412, 8.1 s": for people.
  std::string spent() const;

 private:
  const BudgetLimits limits_;
  std::uint64_t tokens_ = 0;
  double money_ = 0;
  std::uint32_t calls_ = 0;
  Milliseconds time_{0};
};

}  // namespace da::planner::model
