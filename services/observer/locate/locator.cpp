#include "services/observer/locate/locator.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <utility>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/observer/elements/actionable.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"
#include "services/observer/locate/names_by_sight.h"
#include "services/observer/locate/phrases.h"
#include "services/observer/locate/target_choice.h"
#include "services/observer/locate/unread_places.h"
#include "services/observer/text/field_boxes.h"
#include "services/observer/text/text_match.h"
#include "services/observer/text/text_occurrences.h"

namespace da::observer {
namespace {

// From the first look at a match to the second, which confirms its place: more than one frame of an animation (17 ms).
constexpr Milliseconds kBetweenLooks{20};
constexpr Milliseconds kShortQuiet{50};
constexpr Milliseconds kLongestPause{150};
// While a known element is not enabled: applications enable a button soon after the input that it needs.
constexpr Milliseconds kPauseBeforeEnabled{40};
constexpr Milliseconds kEnabledSoon{500};
constexpr Milliseconds kReadingQuiet{200};  // Before OCR, and before a poor match is accepted.
constexpr Milliseconds kReadingPause{600};
constexpr Milliseconds kOpeningWait{700};  // Some announced windows never open.
constexpr double kGoodMatch = 0.9;         // The whole name; lower scores are a part of it.

Milliseconds until(MonoTime deadline, MonoTime now) {
  return std::max(Milliseconds(0), std::chrono::duration_cast<Milliseconds>(deadline - now));
}

// Changes when a window opens, closes, moves in the stacking order, or gets the focus.
std::string window_order(const FrameCache& frames) {
  std::string order;
  for (const v1::Window* window : frames.windows()) order += window->window_id() + (window->focused() ? "*;" : ";");
  return order;
}

bool is_from_picture(const v1::Candidate& candidate) {
  return candidate.source() == v1::Candidate::SOURCE_OCR || candidate.source() == v1::Candidate::SOURCE_PICTURE;
}

// A field, by its kind or because the step types.
bool is_field(const LocatedTarget& target, v1::Actionable actionable) {
  return target.kind.wish == RoleWish::kField || (actionable == v1::ACTIONABLE_EDITABLE && !target.only_role);
}

std::string gets_no_click(const std::string& menu) {
  return "gets no click because of " + menu + ", which a click elsewhere only closes: press esc first";
}

}  // namespace

Result<v1::LocateReply> Locator::locate(const v1::LocateRequest& request, const std::stop_token& stop) {
  ASSIGN_OR_RETURN(LocatedTarget target, target_of(request));
  Search search{.request = request, .target = std::move(target)};
  const MonoTime begun = clock_.now();
  const MonoTime deadline = begun + Milliseconds(request.max_wait_ms());
  std::optional<v1::Candidate> before;
  for (;;) {
    const bool last = clock_.now() >= deadline;
    // Repeating OCR is cheap: it reads only what changed.
    const bool was_read = before && is_from_picture(*before);
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
      if (!before && was_seen_earlier(search, best)) before = best;
      reply.set_missing(!seen.covered.empty()
                            ? seen.covered
                            : missing_condition(best, before ? &*before : nullptr, request.actionable()));
      // A target that moves is visible somewhere.
      const bool moves = seen.covered.empty() && !reply.missing().empty();
      if (moves && request.actionable() == v1::ACTIONABLE_UNSPECIFIED) reply.set_incomplete(true);
      first_sight = !before;
      doubtful = request.actionable() != v1::ACTIONABLE_UNSPECIFIED && best.score() < kGoodMatch && !seen.settled;
      before = best;
    }
    reply.mutable_candidates()->Assign(seen.candidates.begin(), seen.candidates.end());
    const bool opening = seen.opening && clock_.now() < begun + kOpeningWait;
    const bool will_do = reply.missing().empty() && !doubtful && !opening;
    // Without a wait, too, only a second look shows if the target is at rest.
    if (will_do || (last && !first_sight)) {
      if (reply.ambiguous()) {
        const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
        const auto windows = frames_.windows();
        add_phrases(search.elements, {windows, frames_.store().desktop()}, request, reply);
      }
      remember(search);
      return reply;
    }
    if (stop_.stop_requested() || stop.stop_requested()) return Error{Code::kCancelled, "Locate was cancelled"};
    const bool found_by_reading = !seen.candidates.empty() && is_from_picture(seen.candidates.front());
    const bool rests =
        doubtful || (seen.menu_is_drawn && !found_by_reading) || (is_worth_reading(seen, request) && !found_by_reading);
    const Milliseconds left = std::max(until(deadline, clock_.now()), kShortQuiet);
    search.known_at = doubtful || opening ? std::nullopt : worth_reading_alone(search, seen);
    search.looks_at_known = search.known_at ? search.looks_at_known + 1 : 0;
    const bool awaits_enabled = search.known_at && clock_.now() < begun + kEnabledSoon &&
                                !has_state(seen.candidates.front().node(), v1::UI_STATE_ENABLED);
    search.wait = rests            ? FrameCache::Wait{std::min(kReadingQuiet, left), std::min(kReadingPause, left)}
                  : first_sight    ? FrameCache::Wait{kBetweenLooks, kBetweenLooks}
                  : awaits_enabled ? FrameCache::Wait{kBetweenLooks, std::min(kPauseBeforeEnabled, left)}
                                   : FrameCache::Wait{kShortQuiet, std::min(kLongestPause, left)};
    if (seen.candidates.empty()) before.reset();
  }
}

bool Locator::was_seen_earlier(const Search& search, const v1::Candidate& candidate) {
  const bool acts = !only_needs_to_show(search.request.actionable());
  if (!acts || candidate.source() != v1::Candidate::SOURCE_UI_TREE) return false;
  const v1::UiNode& now = candidate.node();
  const std::lock_guard lock(earlier_mutex_);
  if (!earlier_ || earlier_->task_id != search.request.task_id() || clock_.now() < earlier_->read_at + kBetweenLooks) {
    return false;
  }
  const auto& nodes = earlier_->elements.nodes();
  const auto before = std::ranges::find(nodes, now.element_id(), &v1::UiNode::element_id);
  return before != nodes.end() && before->window_id() == now.window_id() && before->role() == now.role() &&
         before->name() == now.name() && rect_from_wire(before->bounds()) == rect_from_wire(now.bounds());
}

void Locator::remember(Search& search) {
  const std::lock_guard lock(earlier_mutex_);
  earlier_ = Earlier{search.request.task_id(), search.read_at, std::move(search.elements)};
}

// A step must not act on visible text elsewhere in place of a covered element.
bool Locator::is_worth_reading(const Look& seen, const v1::LocateRequest& request) {
  if (!request.use_ocr()) return false;
  return seen.candidates.empty() || (!seen.covered.empty() && request.actionable() == v1::ACTIONABLE_UNSPECIFIED);
}

// The index of a match that is not usable yet, to read it alone; after kMostLooks or when all others are old,
// everything is read again, because it may have changed too. A transient object cannot be read again.
std::optional<int> Locator::worth_reading_alone(const Search& search, const Look& seen) const {
  constexpr int kMostLooks = 8;
  constexpr Milliseconds kOldest{400};
  const bool old = search.looks_at_known >= kMostLooks || clock_.now() >= search.read_at + kOldest;
  if (seen.candidates.empty() || old) return std::nullopt;
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
  const LocatedTarget& target = search.target;
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  ASSIGN_OR_RETURN(Look seen, look(search));
  const bool by_text = target.relation == v1::RELATION_UNSPECIFIED && !target.only_role;
  const bool acts = !only_needs_to_show(request.actionable());
  const auto windows = frames_.windows();
  const auto areas = frames_.click_areas();
  const Scene scene{windows, frames_.store().desktop(), areas};
  const auto menus = acts && by_text && request.use_ocr() ? drawn_menus(search.elements, scene) : std::vector<Rect>();
  seen.menu_is_drawn = !menus.empty();
  if (seen.menu_is_drawn && (seen.settled || at_once)) {
    std::vector<v1::Candidate> names;
    for (const Rect& menu : menus) {
      ASSIGN_OR_RETURN(auto read, sight_.read_area(menu, target));
      std::ranges::move(read, std::back_inserter(names));
    }
    keep_whole_names(target, names);
    if (!names.empty()) {
      seen.candidates = std::move(names);
      seen.covered.clear();
      return seen;
    }
  }
  const bool poor = (seen.settled || at_once) && seen.covered.empty() && by_text && request.use_ocr() &&
                    request.actionable() == v1::ACTIONABLE_ENABLED;
  if (poor && name_may_be_drawn(search.elements, windows, target, seen.candidates)) {
    ASSIGN_OR_RETURN(const auto read, sight_.read_all(target));
    add_drawn_name(search.elements, scene, target, read, seen.candidates);
    return seen;
  }
  if (!is_worth_reading(seen, request)) return seen;
  // OCR of a moving screen wastes time, unless the window has no elements.
  if (!seen.settled && !at_once && seen.window_has_elements) return seen;
  // Text on the screen has no kind and no place beside other text; boxes of fields have. A window's elements, also
  // those that have not arrived, come before its picture.
  const bool elements_tell = seen.incomplete || seen.window_has_elements;
  const v1::Window* const drawn = seen.incomplete ? nullptr : drawn_window(search.elements, windows, target);
  if (drawn != nullptr && is_field(target, request.actionable())) {
    if (const auto part = hidden_part(scene, *drawn); !part.empty()) {
      seen.absent = "is a field that only the picture can show, and " + part;
      return seen;
    }
    ASSIGN_OR_RETURN(auto boxes, sight_.find_fields(target, scene, *drawn));
    if (!boxes.empty()) {
      seen.candidates = std::move(boxes);
      seen.covered.clear();
      return seen;
    }
  }
  if (elements_tell && request.actionable() == v1::ACTIONABLE_EDITABLE) return seen;
  const bool beside_text = target.relation != v1::RELATION_UNSPECIFIED && !target.name.empty() && !target.only_role;
  if (!by_text && !beside_text && target.kind.wish != RoleWish::kText) return seen;
  ASSIGN_OR_RETURN(auto read, sight_.read_screen(target));
  if (beside_text) {
    ASSIGN_OR_RETURN(const auto anchors, read_anchors(search, scene));
    keep_beside(anchors, target, read);
  }
  keep_in_window(target, scene, read);
  std::string menu;
  std::erase_if(read, [&](const v1::Candidate& each) {
    const std::string before = menu_before(search.elements, scene, each, request.actionable());
    if (!before.empty()) menu = before;
    return !before.empty();
  });
  if (read.empty() && !menu.empty()) seen.absent = gets_no_click(menu);
  if (const auto dialog = acts ? drop_behind_dialogs(search.elements, read) : ""; !dialog.empty()) {
    seen.absent = "is behind " + dialog + " of its page, which has to be answered first";
  }
  if (auto absent = acts ? drop_beside_covers(scene, target, read) : ""; !absent.empty())
    seen.absent = std::move(absent);
  if (acts && drop_unread(search.elements, scene, read)) {
    seen.incomplete = true;
    seen.absent = "shows as text, but the elements of its window have not all arrived, so it is unknown what is there";
  }
  if (auto absent = keep_at_index(target, read); !absent.empty()) seen.absent = std::move(absent);
  if (read.empty()) return seen;
  seen.candidates = std::move(read);
  seen.covered.clear();
  return seen;
}

// The places of what the target is beside: elements, or else text.
Result<std::vector<Rect>> Locator::read_anchors(const Search& search, const Scene& scene) {
  constexpr double kAlike = 0.015;
  auto anchors = anchors_of(search.elements, scene, search.target);
  std::erase_if(anchors, [](const v1::Candidate& each) { return has_state(each.node(), v1::UI_STATE_SCROLLED_OUT); });
  if (anchors.empty()) {
    LocatedTarget words = search.target;
    words.literal = words.name = search.target.anchor;
    ASSIGN_OR_RETURN(anchors, sight_.read_screen(words));
  }
  std::vector<Rect> places;
  for (const v1::Candidate& each : anchors) {
    if (each.score() >= anchors.front().score() - kAlike) places.push_back(rect_from_wire(each.bounds()));
  }
  return places;
}

Result<v1::UiTree> Locator::nameable(const v1::ReadUiRequest& request) {
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  RETURN_IF_ERROR(frames_.refresh({}));  // Updates the window positions.
  ASSIGN_OR_RETURN(const auto tree, frames_.read_ui_tree());
  const auto windows = frames_.windows();
  const auto areas = frames_.click_areas();
  const Scene scene{windows, frames_.store().desktop(), areas};
  v1::UiTree list = list_with_phrases(tree, scene);
  for (const v1::Window* const window : windows) {
    if (window->started_run() || !is_drawn(tree, *window)) continue;
    const std::string part = hidden_part(scene, *window);
    const auto fields = numbered_field(sight_.fields_of(*window, scene), 0);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      v1::UiNode field = drawn_field(*window, rect_from_wire(fields[i].bounds()), static_cast<std::uint32_t>(i + 1));
      if (!part.empty()) field.clear_phrase();
      *list.add_nodes() = std::move(field);
    }
  }
  return list;
}

// False on a timeout.
Result<bool> Locator::read_elements(Search& search) {
  const bool same_windows = search.windows == std::exchange(search.windows, window_order(frames_));
  if (search.known_at && same_windows) {
    v1::UiNode& known = *search.elements.mutable_nodes(*search.known_at);
    if (auto node = frames_.read_element(known.element_id())) {
      known = *std::move(node);
      return true;
    }
  }
  auto tree = frames_.read_ui_tree();
  if (!tree && tree.error().code != Code::kDeadlineExceeded) return tree.error();
  if (!tree) return false;
  search.elements = *std::move(tree);
  search.read_at = clock_.now();
  return true;
}

Result<Locator::Look> Locator::look(Search& search) {
  const v1::LocateRequest& request = search.request;
  const LocatedTarget& target = search.target;
  RETURN_IF_ERROR(refresh(search.wait));
  search.target.whole_title = std::ranges::any_of(
      frames_.windows(), [&](const v1::Window* window) { return is_same_name(window->title(), target.window); });
  Look seen;
  seen.frame_id = frames_.store().known_frame_id();
  seen.settled = search.wait.quiet >= kReadingQuiet && frames_.store().head().settled();
  ASSIGN_OR_RETURN(const bool read, read_elements(search));
  if (!read) {
    seen.absent = "was not found: the UI elements could not be read in time";
    seen.incomplete = true;
    return seen;
  }
  const v1::UiTree& tree = search.elements;
  seen.opening = tree.opening();
  const v1::Window* const focused = frames_.focused_window();
  seen.window_has_elements = focused == nullptr || has_elements(tree, *focused) || is_awaited(tree, *focused);
  const auto windows = frames_.windows();
  const auto areas = frames_.click_areas();
  const Scene scene{windows, frames_.store().desktop(), areas};
  seen.candidates = match_ui(tree, scene, target, request.actionable());
  if (only_needs_to_show(request.actionable())) {
    seen.absent = drop_scrolled_out(target, seen.candidates);
  }
  if (auto absent = keep_at_index(target, seen.candidates); !absent.empty()) seen.absent = std::move(absent);
  if (!seen.candidates.empty()) {
    const v1::Candidate& best = seen.candidates.front();
    if (is_named_outside(tree, scene, target, best, request.actionable())) {
      seen.covered = "is outside of the desktop: move its window onto the desktop";
    } else if (const auto dialog = blocker_of(tree, scene, best, request.actionable()); !dialog.empty()) {
      seen.covered = "is blocked by " + dialog + ", which has to be answered first";
    } else if (const auto cover = cover_of(tree, scene, best, request.actionable()); !cover.empty()) {
      seen.covered = "is covered by " + cover;
    } else if (const auto menu = menu_before(tree, scene, best, request.actionable()); !menu.empty()) {
      seen.covered = gets_no_click(menu);
    }
    return seen;
  }
  if (!seen.absent.empty()) return seen;
  seen.absent = explain_no_match(tree, scene, target);
  if (!seen.absent.empty()) return seen;
  seen.absent = is_present_but_hidden(tree, scene, target) ? "is there, but does not show" : "is nowhere on the screen";
  if (!tree.note().empty()) seen.absent += " (" + escape_foreign(tree.note(), 200) + ")";
  return seen;
}

// Drops leading matches whose text is scrolled out of view; the first visible one gets the text's bounds. Elements that
// do not report text positions are kept. Returns the message for the last dropped one.
std::string Locator::drop_scrolled_out(const LocatedTarget& target, std::vector<v1::Candidate>& candidates) {
  std::string dropped;
  while (!candidates.empty() && found_in_text(candidates.front(), target)) {
    v1::Candidate& best = candidates.front();
    const auto ranges = occurrences(best.node().text(), target.literal);
    if (ranges.empty()) break;
    const auto places = frames_.text_places(best.node().element_id(), ranges);
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
    dropped = "is in " + place + ", but is scrolled out of sight";
    candidates.erase(candidates.begin());
  }
  return dropped;
}

// The actuator should wait for at least the quiet time. If it returns sooner, wait here, to avoid a busy loop.
Result<void> Locator::refresh(const FrameCache::Wait& wait) {
  const MonoTime begun = clock_.now();
  RETURN_IF_ERROR(frames_.refresh(wait));
  const auto missing = begun + std::min(wait.quiet, wait.longest) - clock_.now();
  if (missing <= Nanoseconds(0)) return ok();
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop_, missing, [] { return false; });
  return frames_.refresh({});
}

}  // namespace da::observer
