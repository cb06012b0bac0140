#include "services/planner/task/task_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/named_action.h"
#include "lib/contract/place_text.h"

namespace da::planner {
namespace {

constexpr Milliseconds kLookSlice{1'000};  // The longest time between two looks at a screen that never settles.
// For View::kState, which is fast: the time between the first kEarlyLooks looks, and between later ones.
constexpr Milliseconds kStateSlice{50};
constexpr Milliseconds kLaterStateSlice{200};
constexpr int kEarlyLooks = 20;
constexpr Milliseconds kLookPace{50};  // The shortest time between two looks.
constexpr int kListed = 6;

std::uint32_t wire_ms(Nanoseconds wait) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, std::chrono::duration_cast<Milliseconds>(wait).count()));
}

std::string list_candidates(const google::protobuf::RepeatedPtrField<v1::Candidate>& candidates) {
  std::string list;
  for (int i = 0; i < std::min(candidates.size(), kListed); ++i) {
    list += (list.empty() ? "" : ", ") + describe_candidate(candidates[i]);
  }
  if (candidates.size() > kListed) list += ", and more";
  return list;
}

v1::Relation relation_of(contract::Relation relation) {
  switch (relation) {
    case contract::Relation::kNone: return v1::RELATION_UNSPECIFIED;
    case contract::Relation::kRightOf: return v1::RELATION_RIGHT_OF;
    case contract::Relation::kLeftOf: return v1::RELATION_LEFT_OF;
    case contract::Relation::kBelow: return v1::RELATION_BELOW;
    case contract::Relation::kAbove: return v1::RELATION_ABOVE;
    case contract::Relation::kInRow: return v1::RELATION_IN_ROW;
    case contract::Relation::kInside: return v1::RELATION_INSIDE;
  }
  return v1::RELATION_UNSPECIFIED;
}

bool is_field_kind(std::string_view role) {
  constexpr std::array<std::string_view, 7> kFields = {"field",       "text field", "text box",      "text area",
                                                       "input field", "entry",      "password field"};
  return std::ranges::find(kFields, role) != kFields.end();
}

// `2nd "Advanced" (page tab at 400,300)`: each begins with a target that means only this candidate, where there is one.
std::string list_phrases(const google::protobuf::RepeatedPtrField<v1::Candidate>& candidates) {
  std::string list;
  for (int i = 0; i < std::min(candidates.size(), kListed); ++i) {
    const v1::Candidate& each = candidates[i];
    list += list.empty() ? "" : ", ";
    if (each.phrase().empty()) {
      list += describe_candidate(each);
    } else {
      const std::string kind = each.node().role().empty() ? "text" : escape_foreign(each.node().role(), 40);
      list += escape_foreign(each.phrase(), 300) + " (" + kind + " " +
              contract::place_text(contract::from_proto(center_of(each.bounds()))) + ")";
    }
  }
  if (candidates.size() > kListed) list += ", and more";
  return list;
}

// Only those that fit as well as the best one.
v1::LocateReply without_worse(const v1::LocateReply& reply) {
  constexpr double kTie = 0.005;
  v1::LocateReply tied;
  for (const v1::Candidate& each : reply.candidates()) {
    if (reply.candidates(0).score() - each.score() <= kTie) *tied.add_candidates() = each;
  }
  return tied;
}

}  // namespace

std::string waited_text(Milliseconds wait) {
  return wait.count() == 0 ? "" : " (waited " + std::to_string(wait.count() / 1000) + " s)";
}

MonoTime TaskView::deadline_after(Milliseconds wait) const { return std::min(clock_.now() + wait, time_limit_); }

Result<v1::Observation> TaskView::look(Picture picture, Milliseconds max_wait, View view) {
  ASSIGN_OR_RETURN(auto observation, observe(picture, max_wait, view));
  const Changes missed = std::exchange(missed_, {});
  if (missed.tiles == 0) return observation;
  observation.set_changed_tiles(observation.changed_tiles() + missed.tiles);
  const Rect area = bounding(contract::from_proto(observation.changed_area()), missed.area);
  *observation.mutable_changed_area() = contract::to_proto(area);
  return observation;
}

Result<v1::Observation> TaskView::observe(Picture picture, Milliseconds max_wait, View view) {
  v1::ObserveRequest request;
  request.set_task_id(task_id_);
  request.set_observation_token(token_);
  request.set_cause(cause_);
  if (picture != Picture::kNone) {
    request.set_image(picture == Picture::kPlain ? v1::IMAGE_WISH_PLAIN : image_wants_.wish);
    request.set_marks(picture == Picture::kUsual && image_wants_.marks);
    *request.mutable_image_limits() = image_wants_.limits;
    request.set_return_image(image_wants_.read);
  }
  request.set_settle(max_wait > Milliseconds(0));
  request.set_for_keys(view != View::kSettledScreen);
  request.set_without_elements(view != View::kSettledScreen);
  request.set_max_wait_ms(wire_ms(deadline_after(max_wait) - clock_.now()));
  ASSIGN_OR_RETURN(auto observation, observer_.observe(request, cancel_.work()));
  returned_.reset();
  if (observation.has_returned_image()) returned_ = std::move(*observation.mutable_returned_image());
  observation.clear_returned_image();
  return observation;
}

Result<v1::ImageFact> TaskView::image(const std::string& image_hash) {
  if (returned_ && returned_->image_hash() == image_hash) return *std::exchange(returned_, std::nullopt);
  v1::ReadImageRequest request;
  request.set_image_hash(image_hash);
  request.set_observation_token(token_);
  return observer_.read_image(request, cancel_.work());
}

Result<v1::ImageFact> TaskView::zoom(const v1::Rect& area) {
  v1::ZoomRequest request;
  request.set_task_id(task_id_);
  request.set_observation_token(token_);
  request.set_cause(cause_);
  *request.mutable_area() = area;
  *request.mutable_image_limits() = image_wants_.limits;
  return observer_.zoom(request, cancel_.work());
}

Result<v1::UiTree> TaskView::ui_tree() { return read_ui({}); }

Result<std::optional<v1::UiNode>> TaskView::element(const std::string& element_id) {
  v1::ReadUiRequest request;
  request.set_element_id(element_id);
  ASSIGN_OR_RETURN(auto tree, read_ui(std::move(request)));
  if (tree.nodes().empty()) return std::optional<v1::UiNode>();
  return std::optional(std::move(*tree.mutable_nodes(0)));
}

Result<v1::UiTree> TaskView::read_ui(v1::ReadUiRequest request) {
  request.set_task_id(task_id_);
  request.set_observation_token(token_);
  request.set_cause(cause_);
  return observer_.read_ui(request, cancel_.work());
}

Result<v1::AnalyzeReply> TaskView::analyze(v1::AnalyzeRequest request) {
  request.set_task_id(task_id_);
  request.set_observation_token(token_);
  request.set_cause(cause_);
  request.set_number(++last_number_);
  return observer_.analyze(request, cancel_.work());
}

Result<v1::LocateReply> TaskView::find(const std::string& target, v1::Actionable actionable, Ocr ocr,
                                       Milliseconds max_wait) {
  return find(parse_element_query(target), actionable, ocr, max_wait);
}

Result<v1::LocateReply> TaskView::find(const ElementQuery& query, v1::Actionable actionable, Ocr ocr,
                                       Milliseconds max_wait) {
  v1::LocateRequest request;
  request.set_task_id(task_id_);
  request.set_observation_token(token_);
  request.set_cause(cause_);
  request.set_number(++last_number_);
  const bool quoted = query.quoted && contract::may_describe_kind(query.name);
  request.set_target(quoted ? "\"" + query.name + "\"" : query.name);
  request.set_role(query.role);
  request.set_index(query.index);
  request.set_window(query.window);
  request.set_actionable(actionable);
  request.set_relation(relation_of(query.relation));
  request.set_anchor(query.anchor);
  request.set_anchor_role(query.anchor_role);
  // OCR does not know the role of the element around a text. The boxes of fields show in the picture.
  const bool readable = query.role.empty() || query.role == "text" || is_field_kind(query.role);
  request.set_use_ocr(ocr == Ocr::kWith && readable);
  request.set_max_wait_ms(wire_ms(deadline_after(max_wait) - clock_.now()));
  auto reply = observer_.locate(request, cancel_.work());
  last_found_frame_ = reply ? reply->frame_id() : "";
  return reply;
}

Result<v1::Candidate> TaskView::find_one(const std::string& target, v1::Actionable actionable, Ocr ocr,
                                         Milliseconds max_wait) {
  ASSIGN_OR_RETURN(const auto reply, find(target, actionable, ocr, max_wait));
  return the_one_of(reply, target, max_wait);
}

Result<v1::Candidate> the_one_of(const v1::LocateReply& reply, const std::string& target, Milliseconds max_wait) {
  if (reply.ambiguous()) {
    return Error{Code::kInvalidArgument,
                 describe_target(target) + " is ambiguous; it fits " + list_phrases(without_worse(reply).candidates()) +
                     ". Write one of them by its kind, its number such as 2nd, its place or its window"};
  }
  if (!reply.missing().empty()) {
    return Error{Code::kFailedPrecondition, describe_target(target) + " " + escape_foreign(reply.missing()) +
                                                waited_text(max_wait) + nearest_text(reply)};
  }
  if (reply.candidates_size() == 0) {
    const std::string nearest = nearest_text(reply);
    return Error{Code::kNotFound,
                 "nothing that shows is called " + describe_target(target) + waited_text(max_wait) + nearest};
  }
  return reply.candidates(0);
}

Result<bool> TaskView::look_until(const std::function<Result<bool>(const v1::Observation&)>& holds,
                                  Milliseconds max_wait, View view) {
  const MonoTime deadline = deadline_after(max_wait);
  Milliseconds wait{0};  // The first look does not wait.
  // Bounds the loop even if a test's clock stands still.
  const auto most_looks = max_wait / kLookPace + 2;
  for (int looks = 0; looks < most_looks; ++looks) {
    const MonoTime next = system_clock().now() + std::min(wait, kLookPace);
    ASSIGN_OR_RETURN(const auto observation, observe(Picture::kNone, wait, view));
    missed_.tiles += observation.changed_tiles();
    missed_.area = bounding(missed_.area, contract::from_proto(observation.changed_area()));
    ASSIGN_OR_RETURN(const bool held, holds(observation));
    if (held) return true;
    const auto left = std::chrono::ceil<Milliseconds>(deadline - clock_.now());
    if (left <= Milliseconds(0)) return false;
    (void)cancel_.pause_until(system_clock(), next);  // The next look reports a cancel.
    const Milliseconds slice = view != View::kState ? kLookSlice : looks < kEarlyLooks ? kStateSlice : kLaterStateSlice;
    wait = std::min(left, slice);
  }
  return false;
}

Result<v1::Window> TaskView::await_window(const std::string& title, Milliseconds max_wait) {
  v1::Window found;
  std::string open;
  const auto is_open = [&](const v1::Observation& observation) -> Result<bool> {
    if (auto window = best_titled(observation.windows(), title)) {
      found = *std::move(window);
      return true;
    }
    open = describe_windows(observation.windows());
    return false;
  };
  ASSIGN_OR_RETURN(const bool shows, look_until(is_open, max_wait, View::kState));
  if (!shows) {
    return Error{Code::kNotFound,
                 "no window's title contains " + quote_foreign(title) + waited_text(max_wait) + "; open: " + open};
  }
  return found;
}

bool is_lost_or_cancelled(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kDeadlineExceeded || error.code == Code::kCancelled;
}

std::string describe_candidate(const v1::Candidate& candidate) {
  const bool read = candidate.source() == v1::Candidate::SOURCE_OCR;
  const bool is_box = candidate.source() == v1::Candidate::SOURCE_PICTURE;
  const std::string& role = candidate.node().role();
  return quote_foreign(candidate.text()) + " (" +
         (is_box         ? "field"
          : read         ? "text"
          : role.empty() ? "element"
                         : escape_foreign(role, 40)) +
         " " + contract::place_text(contract::from_proto(center_of(candidate.bounds()))) + ")";
}

std::string nearest_text(const v1::LocateReply& reply) {
  const auto& nearest = reply.candidates().empty() ? reply.nearest() : reply.candidates();
  return nearest.empty() ? "" : "; nearest: " + list_candidates(nearest);
}

std::string name_candidate(const v1::Candidate& candidate,
                           const google::protobuf::RepeatedPtrField<v1::Window>& windows) {
  if (candidate.source() == v1::Candidate::SOURCE_OCR) return "text " + quote_foreign(candidate.text());
  if (candidate.source() == v1::Candidate::SOURCE_PICTURE) {
    return candidate.text().empty() ? "field without a name" : "field beside " + quote_foreign(candidate.text());
  }
  const auto window = std::ranges::find(windows, candidate.node().window_id(), &v1::Window::window_id);
  return contract::name_target(candidate.node(), window == windows.end() ? v1::Window() : *window);
}

std::optional<v1::Window> best_titled(const google::protobuf::RepeatedPtrField<v1::Window>& windows,
                                      const std::string& title) {
  const v1::Window* best = nullptr;
  TitleFit fit = TitleFit::kNo;
  for (const v1::Window& window : windows) {
    const TitleFit here = title_fit(window.title(), title);
    if (here > fit) best = &window;
    fit = std::max(fit, here);
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string describe_windows(const google::protobuf::RepeatedPtrField<v1::Window>& windows) {
  if (windows.empty()) return "none";
  std::string list;
  for (int i = 0; i < std::min(windows.size(), kListed); ++i) {
    list += (list.empty() ? "" : ", ") + quote_foreign(windows[i].title());
  }
  return windows.size() > kListed ? list + ", and more" : list;
}

v1::Point center_of(const v1::Rect& bounds) {
  v1::Point point;
  point.set_x(bounds.x() + static_cast<int>(bounds.width() / 2));
  point.set_y(bounds.y() + static_cast<int>(bounds.height() / 2));
  return point;
}

bool has_state(const v1::UiNode& node, v1::UiState state) {
  return std::ranges::find(node.states(), static_cast<int>(state)) != node.states().end();
}

}  // namespace da::planner
