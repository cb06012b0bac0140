#include "services/planner/model/budget.h"

#include <algorithm>
#include <cstdio>

namespace da::planner::model {
namespace {

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Error used_up(const std::string& what, const std::string& limit) {
  return {Code::kResourceExhausted, "the task has used up its model budget: " + what + " of " + limit};
}

}  // namespace

double cost_of(const Usage& usage, const Price& price) {
  const std::uint64_t cached = std::min(usage.cached_input_tokens, usage.input_tokens);
  return (static_cast<double>(usage.input_tokens - cached) * price.input +
          static_cast<double>(cached) * price.cached_input + static_cast<double>(usage.output_tokens) * price.output) /
         1e6;
}

Result<void> Budget::check() const {
  if (limits_.calls > 0 && calls_ >= limits_.calls) {
    return used_up(std::to_string(calls_), std::to_string(limits_.calls) + " calls");
  }
  if (limits_.tokens > 0 && tokens_ >= limits_.tokens) {
    return used_up(std::to_string(tokens_), std::to_string(limits_.tokens) + " tokens");
  }
  if (limits_.money > 0 && money_ >= limits_.money) return used_up(fixed(money_, 4), fixed(limits_.money, 4));
  if (limits_.time > std::chrono::seconds(0) && time_ >= limits_.time) {
    return used_up(fixed(static_cast<double>(time_.count()) / 1000, 1), std::to_string(limits_.time.count()) + " s");
  }
  return ok();
}

std::optional<Milliseconds> Budget::time_left() const {
  if (limits_.time == std::chrono::seconds(0)) return std::nullopt;
  return std::max(Milliseconds(0), Milliseconds(limits_.time) - time_);
}

void Budget::add(const Usage& usage, double cost, Milliseconds time) {
  ++calls_;
  tokens_ += usage.input_tokens + usage.output_tokens;
  money_ += cost;
  time_ += time;
}

std::string Budget::spent() const {
  std::string text = std::to_string(calls_) + (calls_ == 1 ? " call, " : " calls, ") + std::to_string(tokens_) +
                     " tokens, " + fixed(static_cast<double>(time_.count()) / 1000, 1) + " s";
  if (money_ > 0) text += ", cost " + fixed(money_, 4);
  return text;
}

}  // namespace da::planner::model
