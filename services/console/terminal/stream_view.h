// Every fact on stdout as it comes: a line for people, or one JSON object. A line that says the same as the one before
// is left out. One thread.
#pragma once

#include <map>
#include <string>

#include "services/console/terminal/fact_view.h"

namespace da::console {

class LineView final : public FactView {
 public:
  explicit LineView(MonoTime started) : started_(started) {}
  void show(const bus::Fact& fact, MonoTime now) override;
  void tick(MonoTime) override {}

 private:
  const MonoTime started_;
  std::string last_line_;
  std::string step_id_;  // That the last verdict was about,
  std::string step_;     // and in words.
};

class JsonView final : public FactView {
 public:
  void show(const bus::Fact& fact, MonoTime now) override;
  void tick(MonoTime) override {}
};

// Shows nothing: questions and results are said elsewhere.
class NoView final : public FactView {
 public:
  void show(const bus::Fact&, MonoTime) override {}
  void tick(MonoTime) override {}
};

}  // namespace da::console
