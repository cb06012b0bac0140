// Counts the results of the cases and prints them by tool, disturbance and application.
#pragma once

#include <map>
#include <ostream>
#include <string>

#include "da/v1/outcome.pb.h"
#include "tests/stale/cases.h"

namespace da::stale {

class Report {
 public:
  explicit Report(std::ostream& out) : out_(out) {}

  void add(const Case& each, const v1::Outcome& outcome);
  // Counts a case that could not be carried out. It makes the whole run fail.
  void add_broken(const Case& each, const std::string& why);

  void show() const;
  // True if no change was missed, no case was broken, and at most 1 % of the harmless changes were refused.
  bool good() const;

 private:
  struct Count {
    int harmless = 0;
    int false_refusals = 0;
    int harmful = 0;
    int missed = 0;
    int broken = 0;
  };
  void count(const Case& each, const std::function<void(Count&)>& change);
  void show_table(const std::string& head, const std::map<std::string, Count>& rows) const;

  std::ostream& out_;
  Count total_;
  std::map<std::string, Count> by_tool_;
  std::map<std::string, Count> by_disturbance_;
  std::map<std::string, Count> by_application_;
};

}  // namespace da::stale
