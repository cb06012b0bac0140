// What is wrong with a profile, with its place in the file. Not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/contract/json/json_places.h"

namespace da::planner::rules {

enum class Severity { kWarning, kError };

struct Problem {
  Severity severity = Severity::kError;
  contract::TextPlace place;
  std::string message;
};

// Collects problems by JSON pointer; their lines and columns are looked up once, at the end.
class Problems {
 public:
  void error(const std::string& pointer, std::string message) {
    add(Severity::kError, pointer, false, std::move(message));
  }
  // Reports a problem at a member's key.
  void at_key(Severity severity, const std::string& pointer, std::string message) {
    add(severity, pointer, true, std::move(message));
  }
  // Reports a warning at the value.
  void warning(const std::string& pointer, std::string message) {
    add(Severity::kWarning, pointer, false, std::move(message));
  }

  // No more are kept: the reader may stop.
  bool full() const { return found_.size() >= kMost; }
  bool has_errors() const { return errors_ > 0; }

  // Sorted by their place in the text.
  std::vector<Problem> places_in(std::string_view text) const;

 private:
  static constexpr std::size_t kMost = 100;
  struct Found {
    Severity severity;
    std::string pointer;
    bool at_key;
    std::string message;
  };
  void add(Severity severity, const std::string& pointer, bool at_key, std::string message);

  std::vector<Found> found_;
  std::size_t errors_ = 0;
};

}  // namespace da::planner::rules
