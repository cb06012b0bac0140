// Prints the verdicts of recorded steps that change under other rules, and totals. Foreign text is escaped. Main
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "services/policy/rejudging/rejudging.h"

namespace da::policy {

enum class ReportAs { kText, kJson };

class RejudgeReport {
 public:
  explicit RejudgeReport(ReportAs as) : as_(as) {}

  // Prints the step if its verdict changes.
  void add(const RejudgedStep& step);
  // Call it after the steps of one recording: warns on stderr if its own rules do not give its verdicts again.
  void add(const std::string& file, const Rejudging& rejudging);
  void print_totals() const;

  bool changed() const { return unchanged_ < steps_; }
  bool reproduced() const { return reproduced_ == recordings_; }

 private:
  struct Count {
    std::int64_t before = 0;
    std::int64_t now = 0;
    void add(bool before, bool now);
    std::string text() const;  // "3 before, 5 now (+2)"
  };

  const ReportAs as_;
  std::uint64_t recordings_ = 0;
  std::uint64_t reproduced_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t unchanged_ = 0;
  std::uint64_t not_comparable_ = 0;
  std::uint64_t not_by_rules_ = 0;
  std::map<std::string, std::uint64_t>
      changes_;  // Keyed by kind: "allow -> deny", "ask -> ask with a code", "only the rule".
  Count questions_;
  Count codes_;
};

}  // namespace da::policy
