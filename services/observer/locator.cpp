#include "services/observer/locator.h"

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "services/observer/actionable.h"
#include "services/observer/target_choice.h"
#include "services/observer/text_match.h"
#include "services/observer/text_occurrences.h"
#include "services/observer/ui_match.h"
#include "services/observer/ui_roles.h"
#include "services/observer/wire.h"

namespace da::observer {
namespace {

// Between two looks at a target that may be at rest already, whatever else moves on the screen.
constexpr Milliseconds kBetweenLooks{30};
constexpr Milliseconds kShortQuiet{50};
constexpr Milliseconds kLongestPause{150};
constexpr Milliseconds kReadingQuiet{200};  // Before text is read, or a poor match is believed.
constexpr Milliseconds kReadingPause{600};
constexpr Milliseconds kOpeningWait{700};  // Some windows never open, whatever their application says.
constexpr double kGoodMatch = 0.9;         // The name itself; anything less is only a part of it.

Milliseconds until(MonoTime deadline, MonoTime now) {
  return std::max(Milliseconds(0), std::chrono::duration_cast<Milliseconds>(deadline - now));
}

// A terminal or a game tells of its frame at most.
bool has_elements(const v1::UiTree& tree, const v1::Window* window) {
  if (window == nullptr) return true;
  return std::ranges::count(tree.nodes(), window->window_id(), &v1::UiNode::window_id) > 2;
}

// What comes up or gets the focus changes it.
std::string windows_in_order(const Sight& sight) {
  std::string order;
  for (const v1::Window* window : sight.windows()) order += window->window_id() + (window->focused() ? "*;" : ";");
  return order;
}

}  // namespace

Result<v1::LocateReply> Locator::locate(const v1::LocateRequest& request, const std::function<bool()>& cancelled) {
  ASSIGN_OR_RETURN(Target target, target_of(request));
  Search search{.request = request, .target = std::move(target)};
  const MonoTime begun = clock_.now();
  const MonoTime deadline = begun + Milliseconds(request.max_wait_ms());
  std::optional<v1::Candidate> before;
  for (;;) {
    const bool last = clock_.now() >= deadline;
    // What was read once is read again, and only where the screen has changed since.
    const bool was_read = before && before->source() == v1::Candidate::SOURCE_OCR;
    ASSIGN_OR_RETURN(Look seen, look_and_read(search, last || was_read));
    v1::LocateReply reply;
    reply.set_frame_id(seen.frame_id);
    reply.set_ambiguous(is_ambiguous(seen.candidates));
    reply.set_incomplete(seen.incomplete);
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
    const bool opening = seen.opening && clock_.now() < begun + kOpeningWait;
    const bool will_do = reply.missing().empty() && !doubtful && !opening;
    // Rest takes two looks, also where there is no time to wait.
    const bool looks_again = first_sight;
    if (will_do || (last && !looks_again)) return reply;
    if (stop_.stopped() || cancelled()) return Error{Code::kCancelled, "Locate was cancelled"};
    const bool found_by_reading =
        !seen.candidates.empty() && seen.candidates.front().source() == v1::Candidate::SOURCE_OCR;
    const bool rests = doubtful || (is_worth_reading(seen, request) && !found_by_reading);
    const Milliseconds left = std::max(until(deadline, clock_.now()), kShortQuiet);
    search.wait = rests         ? Sight::Wait{std::min(kReadingQuiet, left), std::min(kReadingPause, left)}
                  : first_sight ? Sight::Wait{kBetweenLooks, kBetweenLooks}
                                : Sight::Wait{kShortQuiet, std::min(kLongestPause, left)};
    if (seen.candidates.empty()) before.reset();
    search.known_at = doubtful || opening ? std::nullopt : worth_reading_alone(search, seen);
    search.looks_at_known = search.known_at ? search.looks_at_known + 1 : 0;
  }
}

// Text that shows elsewhere is no place to act on in the covered one's stead.
bool Locator::is_worth_reading(const Look& seen, const v1::LocateRequest& request) {
  if (!request.use_ocr()) return false;
  return seen.candidates.empty() || (!seen.covered.empty() && need_only_show(request.actionable()));
}

// What is found in the UI tree but not yet as it must be, is read again by itself: a few times, and then with
// everything else, which may have changed too. An object that the application renews cannot be asked for again.
std::optional<int> Locator::worth_reading_alone(const Search& search, const Look& seen) {
  constexpr int kMostLooks = 3;
  if (seen.candidates.empty() || search.looks_at_known >= kMostLooks) return std::nullopt;
  const v1::Candidate& best = seen.candidates.front();
  if (best.source() != v1::Candidate::SOURCE_UI_TREE || has_state(best.node(), v1::UI_STATE_TRANSIENT)) {
    return std::nullopt;
  }
  const auto& nodes = search.elements.nodes();
  const auto found = std::ranges::find(nodes, best.node().element_id(), &v1::UiNode::element_id);
  if (found == nodes.end()) return std::nullopt;
  return static_cast<int>(found - nodes.begin());
}

Result<Locator::Look> Locator::look_and_read(Search& search, bool at_once) {
  const v1::LocateRequest& request = search.request;
  const Target& target = search.target;
  const auto lock = sight_.look_for({request.task_id(), request.observation_token()});
  ASSIGN_OR_RETURN(Look seen, look(search));
  if (!is_worth_reading(seen, request)) return seen;
  // What moves is not worth the time that reading takes, unless there is no other way to know the window.
  if (!seen.settled && !at_once && seen.window_has_elements) return seen;
  ASSIGN_OR_RETURN(auto read, read_screen(target));
  keep_in_window(target, sight_.windows(), read);
  if (auto absent = keep_numbered(target, read); !absent.empty()) seen.absent = std::move(absent);
  if (read.empty()) return seen;
  seen.candidates = std::move(read);
  seen.covered.clear();
  return seen;
}

// False where they could not be read in time.
Result<bool> Locator::read_elements(Search& search) {
  const bool same_windows = search.windows == std::exchange(search.windows, windows_in_order(sight_));
  if (search.known_at && same_windows) {
    v1::UiNode& known = *search.elements.mutable_nodes(*search.known_at);
    if (auto node = sight_.read_element(known.element_id())) {
      known = *std::move(node);
      return true;
    }
  }
  auto tree = sight_.read_ui_tree();
  if (!tree && tree.error().code != Code::kDeadlineExceeded) return tree.error();
  if (!tree) return false;
  search.elements = *std::move(tree);
  return true;
}

Result<Locator::Look> Locator::look(Search& search) {
  const v1::LocateRequest& request = search.request;
  const Target& target = search.target;
  RETURN_IF_ERROR(refresh(search.wait));
  Look seen;
  seen.frame_id = sight_.store().known_frame_id();
  seen.settled = search.wait.quiet >= kReadingQuiet && sight_.store().head().settled();
  ASSIGN_OR_RETURN(const bool read, read_elements(search));
  if (!read) {
    seen.absent = "was looked for, but the elements of the screen could not be read in time";
    seen.incomplete = true;
    return seen;
  }
  const v1::UiTree& tree = search.elements;
  seen.opening = tree.opening();
  seen.window_has_elements = has_elements(tree, sight_.focused_window());
  const auto windows = sight_.windows();
  const Scene scene{windows, sight_.store().desktop()};
  seen.candidates = match_ui(tree, scene, target, request.actionable());
  if (need_only_show(request.actionable())) {
    seen.absent = drop_scrolled_out(target, seen.candidates);
  }
  if (auto absent = keep_numbered(target, seen.candidates); !absent.empty()) seen.absent = std::move(absent);
  if (!seen.candidates.empty()) {
    const auto* cover = cover_of(tree, scene, seen.candidates.front(), request.actionable());
    if (cover != nullptr) seen.covered = "is covered by the window " + quote_foreign(cover->title(), 80);
    return seen;
  }
  if (!seen.absent.empty()) return seen;
  seen.absent = why_not(tree, scene, target);
  if (!seen.absent.empty()) return seen;
  seen.absent = is_hidden_there(tree, scene, target) ? "is there, but does not show" : "is nowhere on the screen";
  if (!tree.note().empty()) seen.absent += " (" + escape_foreign(tree.note(), 200) + ")";
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
Result<void> Locator::refresh(const Sight::Wait& wait) {
  const MonoTime begun = clock_.now();
  RETURN_IF_ERROR(sight_.refresh(wait));
  const auto missing = begun + std::min(wait.quiet, wait.longest) - clock_.now();
  if (missing <= Nanoseconds(0)) return ok();
  stop_.wait_for(missing);
  return sight_.refresh({});
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
