// Views of facts. These print every fact, as a line for people or on stdout as one JSON object. One thread.
#pragma once

#include <iostream>
#include <string>

#include "lib/base/clock.h"
#include "lib/bus/subscriber.h"

namespace da::console {

class FactView {
 public:
  virtual ~FactView() = default;
  virtual void show(const bus::Fact& fact, MonoTime now) = 0;
  // Called several times a second.
  virtual void tick(MonoTime) {}
};

// Omits a line that equals the one before.
class LineView final : public FactView {
 public:
  explicit LineView(MonoTime started, std::ostream& out = std::cout) : started_(started), out_(out) {}
  void show(const bus::Fact& fact, MonoTime now) override;

 private:
  const MonoTime started_;
  std::ostream& out_;
  std::string last_line_;
  std::string step_id_;  // The step of the last verdict,
  std::string step_;     // and its description.
};

class JsonView final : public FactView {
 public:
  void show(const bus::Fact& fact, MonoTime now) override;
};

// Shows nothing; questions and results are printed elsewhere.
class NoView final : public FactView {
 public:
  void show(const bus::Fact&, MonoTime) override {}
};

}  // namespace da::console
