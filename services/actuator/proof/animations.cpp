#include "services/actuator/proof/animations.h"

#include <algorithm>
#include <utility>

namespace da::actuator {
namespace {

// Longer than the pause of what changes ten times a second.
constexpr Milliseconds kSteady{110};
// A gap may be too short for an animation to draw.
constexpr std::size_t kMostGaps = 4;
constexpr int kMostNotices = 200;  // Ends a loop even if the clock stands still.

constexpr std::size_t kMostAreas = 100;

// Each area once; many become one around all of them.
void add_area(std::vector<Rect>& areas, const Rect& area) {
  if (area.empty() || std::ranges::find(areas, area) != areas.end()) return;
  areas.push_back(area);
  if (areas.size() <= kMostAreas) return;
  Rect all;
  for (const Rect& each : areas) all = bounding(all, each);
  areas = {all};
}

}  // namespace

Animations::Areas Animations::drawn_until(MonoTime deadline) {
  Areas drawn;
  for (int notices = 0; watch_ && notices < kMostNotices; ++notices) {
    const auto areas = watch_->next(deadline, {});
    if (!areas) watch_.reset();
    if (!areas || areas->empty()) break;
    for (const Rect& area : *areas) add_area(drawn, area);
    if (clock_.now() >= deadline) break;
  }
  return drawn;
}

void Animations::action_begins(FirstLook first) {
  MonoTime until = clock_.now();
  if (!watch_) {
    gaps_.clear();
    auto opened = screen_.watch_drawing();
    if (!opened) return;
    watch_ = *std::move(opened);
    if (!watch_->arm()) return watch_.reset();
    at_end_.forget();
    if (first == FirstLook::kNow) until += kSteady;
  }
  gaps_.push_back(changed_of(drawn_until(until)));
  if (gaps_.size() > kMostGaps) gaps_.pop_front();
}

void Animations::action_ends(const Rect& area) {
  at_end_.forget();
  if (watch_ && !watch_->arm()) watch_.reset();
  if (!watch_ || area.empty()) return;
  if (const auto view = screen_.capture_area(area)) at_end_.keep(*view);
}

// Applications draw again what stays the same, and a caret. That an animation looks as before is rare, and the gaps
// before tell of it too.
Animations::Areas Animations::changed_of(const Areas& drawn) {
  Areas changed;
  for (const Rect& area : drawn) {
    const bool known = !at_end_.area().empty() && intersection(area, at_end_.area()) == area;
    const auto view = known ? screen_.capture_area(area) : Error{Code::kNotFound, "not remembered"};
    const auto differs = view ? at_end_.change(*view) : std::optional(area);
    if (differs) add_area(changed, *differs);
  }
  return changed;
}

std::vector<Rect> Animations::drawn_before() const {
  Areas all;
  for (const Areas& gap : gaps_) {
    for (const Rect& area : gap) add_area(all, area);
  }
  return all;
}

std::vector<Rect> Animations::still_moving(const Rect& among, std::span<const Rect> except) {
  const auto counts = [&](const Rect& area) {
    const auto covers = [&](const Rect& each) { return intersection(area, each) == area; };
    return !intersection(area, among).empty() && std::ranges::none_of(except, covers);
  };
  const Areas before = drawn_before();
  if (before.empty() || !watch_ || !watch_->arm()) return {};
  std::vector<Rect> moving;
  const MonoTime until = clock_.now() + kLongestLook;
  MonoTime rests = clock_.now() + kSteady;
  for (int looks = 0; clock_.now() < until && looks < kMostNotices; ++looks) {
    const auto areas = watch_->next(std::min(until, rests), {});
    if (!areas) return {};
    for (const Rect& area : *areas) {
      if (!counts(area)) continue;
      rests = clock_.now() + kSteady;
      for (const Rect& earlier : before) {
        add_area(moving, intersection(area, earlier));
      }
    }
    if (clock_.now() >= rests) return {};
  }
  return moving;
}

}  // namespace da::actuator
