#include "services/console/terminal/stream/stream_view.h"

#include <chrono>
#include <cstdio>
#include <iostream>

#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/console/terminal/stream/event_text.h"

namespace da::console {

void LineView::show(const bus::Fact& fact, MonoTime now) {
  std::string step;
  if (const auto* verdict = fact.as<v1::Verdict>()) {
    step_id_ = verdict->step_id();
    step_ = verdict->action_text();
  } else if (const auto* outcome = fact.as<v1::Outcome>()) {
    if (outcome->step_id() == step_id_) step = step_;
  } else if (const auto* answered = fact.as<v1::StepAnswered>()) {
    if (answered->step_id() == step_id_) step = step_;
  }
  std::string line = event_line(fact, step);
  if (line.empty() || line == last_line_) return;
  char time[32];
  std::snprintf(time, sizeof time, "%8.3f  ", std::chrono::duration<double>(now - started_).count());
  out_ << time << line << std::endl;
  last_line_ = std::move(line);
}

void JsonView::show(const bus::Fact& fact, MonoTime) { std::cout << event_json(fact) << std::endl; }

}  // namespace da::console
