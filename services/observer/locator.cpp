#include "services/observer/locator.h"

#include <algorithm>

#include "lib/base/text.h"
#include "services/observer/actionable.h"
#include "services/observer/text_match.h"
#include "services/observer/text_occurrences.h"
#include "services/observer/ui_match.h"
#include "services/observer/wire.h"

namespace da::observer {
namespace {

constexpr Milliseconds kShortQuiet{50};  // Between two looks at a target that may be at rest already.
constexpr Milliseconds kLongestPause{150};
constexpr Milliseconds kReadingQuiet{200};  // Before text is read, or a poor match is believed.
constexpr Milliseconds kReadingPause{600};
constexpr double kGoodMatch = 0.9;  // The name itself; anything less is only a part of it.

Milliseconds until(MonoTime deadline, MonoTime now) {
  return std::max(Milliseconds(0), std::chrono::duration_cast<Milliseconds>(deadline - now));
}

}  // namespace

Result<v1::LocateReply> Locator::locate(const v1::LocateRequest& request, const std::function<bool()>& cancelled) {
  const Target target = parse_target(request.target());
  if (target.literal.empty())
    return Error{Code::kInvalidArgument, "Locate needs a target: a name, text or description"};
  const MonoTime deadline = clock_.now() + Milliseconds(request.max_wait_ms());
  std::optional<v1::Candidate> before;
  Wait wait{Milliseconds(0), Milliseconds(0)};
  for (;;) {
    const bool last = clock_.now() >= deadline;
    ASSIGN_OR_RETURN(Look seen, look_and_read(request, target, wait, last));
    v1::LocateReply reply;
    reply.set_frame_id(seen.frame_id);
    reply.set_ambiguous(is_ambiguous(seen.candidates));
    bool doubtful = false;
    bool first_sight = false;
    if (seen.candidates.empty()) {
      reply.set_missing(seen.absent);
    } else {
      const v1::Candidate& best = seen.candidates.front();
      reply.set_missing(!seen.covered.empty()
                            ? seen.covered
                            : what_is_missing(best, before ? &*before : nullptr, request.actionable()));
      first_sight = !before;
      doubtful = request.actionable() != v1::ACTIONABLE_UNSPECIFIED && best.score() < kGoodMatch && !seen.settled;
      before = best;
    }
    reply.mutable_candidates()->Assign(seen.candidates.begin(), seen.candidates.end());
    const bool will_do = reply.missing().empty() && !doubtful;
    // Rest takes two looks, also where there is no time to wait.
    const bool looks_again = first_sight && request.actionable() != v1::ACTIONABLE_UNSPECIFIED;
    if (will_do || (last && !looks_again)) return reply;
    if (stop_.stopped() || cancelled()) return Error{Code::kCancelled, "Locate was cancelled"};
    const bool rests = doubtful || is_worth_reading(seen, request);
    const Milliseconds left = std::max(until(deadline, clock_.now()), kShortQuiet);
    wait = rests ? Wait{std::min(kReadingQuiet, left), std::min(kReadingPause, left)}
                 : Wait{kShortQuiet, std::min(kLongestPause, left)};
    if (seen.candidates.empty()) before.reset();
  }
}

// Text that shows elsewhere is no place to act on in the covered one's stead.
bool Locator::is_worth_reading(const Look& seen, const v1::LocateRequest& request) {
  if (!request.use_ocr()) return false;
  return seen.candidates.empty() || (!seen.covered.empty() && request.actionable() == v1::ACTIONABLE_UNSPECIFIED);
}

Result<Locator::Look> Locator::look_and_read(const v1::LocateRequest& request, const Target& target, const Wait& wait,
                                             bool last) {
  const std::lock_guard lock(sight_.mutex());
  ASSIGN_OR_RETURN(Look seen, look(request, target, wait));
  if (!is_worth_reading(seen, request)) return seen;
  // What moves is not worth the time that reading takes, unless there is no other chance.
  if (!seen.settled && !last) return seen;
  ASSIGN_OR_RETURN(auto read, read_screen(target));
  if (read.empty()) return seen;
  seen.candidates = std::move(read);
  seen.covered.clear();
  return seen;
}

Result<Locator::Look> Locator::look(const v1::LocateRequest& request, const Target& target, const Wait& wait) {
  RETURN_IF_ERROR(refresh(wait));
  Look seen;
  seen.frame_id = sight_.store().known_frame_id();
  seen.settled = wait.quiet >= kReadingQuiet && sight_.store().head().settled();
  const auto tree = sight_.read_ui_tree(request.task_id());
  if (!tree && tree.error().code != Code::kDeadlineExceeded) return tree.error();
  if (!tree) {
    seen.absent = "was looked for, but the elements of the screen could not be read in time";
    return seen;
  }
  const auto windows = sight_.windows();
  const Scene scene{windows, sight_.store().desktop()};
  seen.candidates = match_ui(*tree, scene, target, request.actionable());
  if (request.actionable() == v1::ACTIONABLE_UNSPECIFIED) {
    seen.absent = drop_scrolled_out(target, seen.candidates);
  }
  if (!seen.candidates.empty()) {
    const auto* cover = cover_of(*tree, scene, seen.candidates.front(), request.actionable());
    if (cover != nullptr) seen.covered = "is covered by the window " + quote_foreign(cover->title(), 80);
    return seen;
  }
  if (!seen.absent.empty()) return seen;
  seen.absent = is_hidden_there(*tree, scene, target) ? "is there, but does not show" : "is nowhere on the screen";
  if (!tree->note().empty()) seen.absent += " (" + escape_foreign(tree->note(), 200) + ")";
  return seen;
}

// Where text alone was found, the best one gets the place of that text. An element that does not tell is believed.
// Returns what is to be said of the last that was dropped.
std::string Locator::drop_scrolled_out(const Target& target, std::vector<v1::Candidate>& candidates) {
  std::string dropped;
  while (!candidates.empty() && found_in_text(candidates.front(), target)) {
    v1::Candidate& best = candidates.front();
    const auto ranges = occurrences(best.node().text(), target.literal);
    if (ranges.empty()) break;
    const auto places = sight_.text_places(best.node().element_id(), ranges);
    if (!places) break;
    const Rect area = rect_from_wire(best.bounds());
    const auto seen = std::ranges::find_if(
        *places, [&](const Rect& place) { return 2 * intersection(place, area).area() >= place.area(); });
    if (seen != places->end()) {
      if (!seen->empty()) *best.mutable_bounds() = rect_to_wire(intersection(*seen, area));
      break;
    }
    const std::string place =
        best.text().empty() ? "the " + escape_foreign(best.node().role(), 40) : quote_foreign(best.text(), 80);
    dropped = "stands in " + place + ", but is scrolled out of sight";
    candidates.erase(candidates.begin());
  }
  return dropped;
}

// The actuator's wait takes at least the quiet time where nothing changes. One that comes back sooner must not make
// this a busy loop.
Result<void> Locator::refresh(const Wait& wait) {
  const MonoTime begun = clock_.now();
  RETURN_IF_ERROR(sight_.refresh(wait.quiet, wait.longest));
  const auto missing = begun + std::min(wait.quiet, wait.longest) - clock_.now();
  if (missing <= Nanoseconds(0)) return ok();
  stop_.wait_for(missing);
  return sight_.refresh(Milliseconds(0), Milliseconds(0));
}

Result<std::vector<v1::Candidate>> Locator::read_screen(const Target& target) {
  const FrameStore& store = sight_.store();
  const Point origin{store.desktop().x, store.desktop().y};
  if (const auto* focused = sight_.focused_window()) {
    Rect area = rect_from_wire(focused->bounds());
    area.x -= origin.x;
    area.y -= origin.y;
    ASSIGN_OR_RETURN(const auto* lines, window_text_.lines(store, area));
    auto candidates = match_text(*lines, origin, target);
    if (!candidates.empty() && candidates.front().score() >= 0.6) return candidates;
  }
  ASSIGN_OR_RETURN(const auto* lines, screen_text_.lines(store, {0, 0, store.grid().width, store.grid().height}));
  return match_text(*lines, origin, target);
}

}  // namespace da::observer
