#include "services/actuator/proof/animations.h"

#include <algorithm>
#include <utility>

namespace da::actuator {
namespace {

// Longer than the pause of what changes ten times a second.
constexpr Milliseconds kSteady{110};
// On a busy machine, what moves may stand still for longer.
constexpr Milliseconds kFirstLook{300};
// An application may still draw the effect of an action for this time after its proof.
constexpr Milliseconds kEffectGoesOn{150};
constexpr Milliseconds kRemembered{60'000};
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

void Animations::watch() {
  auto opened = screen_.watch_drawing();
  if (!opened || !(*opened)->arm()) return;
  watch_ = *std::move(opened);
  watched_since_ = clock_.now();
  gaps_.clear();
  at_end_.forget();
}

void Animations::action_begins(FirstLook first) {
  if (!watch_) watch();
  if (!watch_) return;
  MonoTime until = clock_.now();
  if (gaps_.empty() && first == FirstLook::kNow) until = std::max(until, watched_since_ + kFirstLook);
  gaps_.push_back(gap_of(drawn_until(until)));
  if (gaps_.size() > kMostGaps) gaps_.pop_front();
}

void Animations::action_ends(const Rect& area, const Rect& unexplained, std::span<const Rect> fading) {
  at_end_.forget();
  ended_ = clock_.now();
  if (!unexplained.empty() && !gaps_.empty()) {
    add_changed(gaps_.back(), unexplained);
    forget_rest(unexplained);
  }
  if (watch_ && !watch_->arm()) watch_.reset();
  if (!watch_ || area.empty()) return;
  const auto view = screen_.capture_area(area);
  if (!view) return;
  at_end_.keep(*view);
  at_end_.ignore(fading);
}

void Animations::add_changed(Gap& gap, const Rect& area) {
  const Rect around = grown(area, kDigits);
  add_area(gap.drawn, around);
  add_area(gap.changed, around);
}

// Compares pixels, because applications also redraw areas that stay the same. An animation rarely looks the same in
// four gaps.
Animations::Gap Animations::gap_of(const Areas& drawn) {
  Gap gap;
  // A change right after an action may be the rest of its effect.
  const bool long_enough = clock_.now() - ended_ >= kEffectGoesOn;
  for (const Rect& area : drawn) {
    const bool known = !at_end_.area().empty() && intersection(area, at_end_.area()) == area;
    const auto view = known ? screen_.capture_area(area) : Error{Code::kNotFound, "not remembered"};
    if (!view) {
      add_area(gap.drawn, area);
    } else if (const auto differs = at_end_.change(*view)) {
      if (long_enough) add_changed(gap, *differs);
      add_area(gap.drawn, *differs);
    }
  }
  for (const Rect& area : gap.changed) forget_rest(area);
  return gap;
}

void Animations::forget_rest(const Rect& area) {
  std::erase_if(resting_, [&](const Resting& each) { return !intersection(each.area, area).empty(); });
}

std::vector<Rect> Animations::drawn_before() const {
  Areas all;
  for (const Gap& gap : gaps_) {
    for (const Rect& area : gap.drawn) add_area(all, area);
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

bool Animations::changed_by_itself(const Rect& area) const {
  return std::ranges::any_of(gaps_, [&](const Gap& gap) {
    return std::ranges::any_of(gap.changed, [&](const Rect& each) { return !intersection(each, area).empty(); });
  });
}

bool Animations::rests(const Rect& area) const {
  return std::ranges::any_of(resting_, [&](const Resting& each) {
    return clock_.now() < each.until && intersection(each.area, area) == area;
  });
}

bool Animations::changes_again(const Rect& area, std::span<const Rect> except, const std::function<bool()>& go_on) {
  constexpr Milliseconds kBetweenChecks{50};
  const MonoTime begun = clock_.now();
  MonoTime last_change = begun;
  PixelMemory seen;
  if (!watch_ || !watch_->arm()) return false;
  if (const auto view = screen_.capture_area(area)) seen.keep(*view);
  for (int looks = 0; clock_.now() < begun + kPatientLook && looks < kMostNotices && go_on(); ++looks) {
    const auto areas = watch_->next(std::min(begun + kPatientLook, clock_.now() + kBetweenChecks), {});
    if (!areas) return false;
    if (areas->empty()) continue;
    const auto view = screen_.capture_area(area);
    if (!view || !seen.change(*view, except)) continue;
    last_change = clock_.now();
    seen.keep(*view);
  }
  // An effect may take some time, but a clock never rests for long.
  const bool again = last_change > begun + kPatientLook / 2;
  const bool looked = clock_.now() >= begun + kPatientLook;
  if (!again && looked) resting_.push_back({area, clock_.now() + kRemembered});
  if (resting_.size() > kMostAreas) resting_.erase(resting_.begin());
  return again;
}

}  // namespace da::actuator
