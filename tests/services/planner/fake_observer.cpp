#include "tests/services/planner/fake_observer.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/describe.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner {
namespace {

v1::UiNode to_node(const FakeElement& element, bool focused) {
  v1::UiNode node;
  node.set_element_id(element.id);
  node.set_window_id(element.window_id);
  node.set_parent_id(element.parent_id);
  node.set_role(element.role);
  node.set_name(element.name);
  node.set_text(element.text);
  *node.mutable_bounds() = contract::to_proto(element.bounds);
  node.add_states(v1::UI_STATE_SHOWING);
  if (element.enabled) node.add_states(v1::UI_STATE_ENABLED);
  if (element.editable) node.add_states(v1::UI_STATE_EDITABLE);
  if (element.checked) node.add_states(v1::UI_STATE_CHECKED);
  if (element.role == "password text") {
    node.clear_text();
    node.add_states(v1::UI_STATE_PASSWORD);
  }
  if (focused) node.add_states(v1::UI_STATE_FOCUSED);
  if (element.selectable) node.add_states(v1::UI_STATE_SELECTABLE);
  if (element.selected) node.add_states(v1::UI_STATE_SELECTED);
  if (element.range) *node.mutable_range() = *element.range;
  return node;
}

}  // namespace

v1::ImageFact FakeObserver::image_of(const std::string& image_hash) {
  v1::ImageFact image;
  image.set_image_hash(image_hash);
  image.set_media_type("image/png");
  image.set_data("the pixels of " + image_hash);
  return image;
}

Result<v1::Observation> FakeObserver::observe(const v1::ObserveRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  const bool settled = request.settle() && world_.settle(Milliseconds(request.max_wait_ms()));
  v1::Observation observation = world_.observation(settled);
  observation.set_changed_tiles(changed_tiles);
  if (request.image() == v1::IMAGE_WISH_UNSPECIFIED) return observation;
  observation.set_image_hash("image-" + observation.frame_id());
  if (request.return_image()) *observation.mutable_returned_image() = image_of(observation.image_hash());
  return observation;
}

Result<v1::LocateReply> FakeObserver::locate(const v1::LocateRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  const MonoTime deadline = world_.clock.now() + Milliseconds(request.max_wait_ms());
  v1::LocateReply reply = look_for(request);
  while (!reply.missing().empty() && world_.clock.now() < deadline) {
    world_.advance(kWorldTick);
    reply = look_for(request);
  }
  return reply;
}

Result<v1::ImageFact> FakeObserver::read_image(const v1::ReadImageRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  return image_of(request.image_hash());
}

Result<v1::ImageFact> FakeObserver::zoom(const v1::ZoomRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  const v1::Rect& area = request.area();
  if (area.x() >= kDesktopWidth || area.y() >= kDesktopHeight) return Error{Code::kInvalidArgument, "outside"};
  v1::ImageFact image;
  image.set_media_type("image/png");
  image.set_data("a part at " + std::to_string(area.x()) + "," + std::to_string(area.y()));
  return image;
}

Result<v1::UiTree> FakeObserver::read_ui(const v1::ReadUiRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  v1::UiTree tree;
  for (const auto& element : world_.elements) {
    const bool wanted = request.element_id().empty() || element->id == request.element_id();
    if (wanted && !element->painted_only) *tree.add_nodes() = to_node(*element, element->id == world_.focused_element);
  }
  return tree;
}

Result<v1::AnalyzeReply> FakeObserver::analyze(const v1::AnalyzeRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  analyzed.push_back(request);
  for (const v1::Template& one : request.templates()) {
    if (!one.image().empty()) templates[one.digest()] = one.image();
  }
  const MonoTime deadline = world_.clock.now() + Milliseconds(request.max_wait_ms());
  world_.advance(Milliseconds(request.min_wait_ms()));
  if (request.max_wait_ms() > 0) ++waits;
  v1::AnalyzeReply reply = look(request);
  while (reply.unchanged() && world_.clock.now() < deadline) {
    if (waits_block) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait(lock, stop, [] { return false; });
    }
    if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
    world_.advance(Milliseconds(1));
    reply = look(request);
  }
  return reply;
}

v1::AnalyzeReply FakeObserver::look(const v1::AnalyzeRequest& request) {
  v1::AnalyzeReply reply;
  std::string seen = "seen:";
  const int analysed = regions_analysed;
  for (const v1::RegionQuery& query : request.regions()) {
    const v1::RegionAnalysis& region = *reply.add_regions() = analyse(query);
    seen += region.name() + '|' + region.area().ShortDebugString() + '|' + region.content() + '|' +
            region.error().message() + '|' + region.window_title() + ';';
  }
  reply.set_seen(seen);
  reply.set_changes_reported(changes_reported);
  reply.set_unchanged(seen == request.seen());
  if (!reply.unchanged()) return reply;
  reply.clear_regions();
  regions_analysed = analysed;
  return reply;
}

v1::RegionAnalysis FakeObserver::analyse(const v1::RegionQuery& query) {
  v1::RegionAnalysis answer;
  answer.set_name(query.name());
  Rect area = contract::from_proto(query.has_area() ? query.area() : query.window().area());
  if (query.has_window()) {
    const auto window = std::ranges::find_if(world_.windows, [&](const FakeWindow& one) {
      return contains_ignoring_case(one.title, query.window().title_pattern());
    });
    if (window == world_.windows.end()) {
      answer.mutable_error()->set_code(v1::AnalysisError::CODE_WINDOW_NOT_FOUND);
      answer.mutable_error()->set_message("no window has such a title");
      return answer;
    }
    if (area.width == 0) area.width = window->bounds.width - area.x;
    if (area.height == 0) area.height = window->bounds.height - area.y;
    area.x += window->bounds.x;
    area.y += window->bounds.y;
  }
  *answer.mutable_area() = contract::to_proto(area);
  std::vector<const FakeElement*> inside;
  std::string text;
  std::string content;
  for (const auto& element : world_.elements) {
    if (!area.contains(element->bounds.center())) continue;
    inside.push_back(element.get());
    text += (text.empty() ? "" : " ") + element->name + (element->text.empty() ? "" : " " + element->text);
    content += element->name + '|' + element->text + '|' + (element->enabled ? "e" : "d") + '|' +
               std::to_string(element->bounds.x - area.x) + ',' + std::to_string(element->bounds.y - area.y) + ';';
  }
  answer.set_content("content:" + content);
  answer.set_unchanged(answer.content() == query.known_content());
  if (answer.unchanged()) return answer;
  ++regions_analysed;
  for (const v1::Point& at : query.pixels()) {
    v1::PixelColour& pixel = *answer.add_pixels();
    *pixel.mutable_at() = at;
    const auto covers = [&](const FakeElement* one) {
      return one->bounds.contains({area.x + at.x(), area.y + at.y()});
    };
    const auto found = std::ranges::find_if(inside, covers);
    const bool none = found == inside.end();
    pixel.mutable_colour()->set_red(none ? 255 : (*found)->enabled ? 0 : 128);
    pixel.mutable_colour()->set_green(none ? 255 : 128);
    pixel.mutable_colour()->set_blue(none ? 255 : (*found)->enabled ? 0 : 128);
  }
  for (const v1::TemplateQuery& wanted : query.templates()) {
    v1::TemplateResult& result = *answer.add_templates();
    result.set_digest(wanted.digest());
    if (!templates.contains(wanted.digest())) {
      result.mutable_error()->set_code(v1::AnalysisError::CODE_TEMPLATE_MISSING);
      result.mutable_error()->set_message("send it again");
      continue;
    }
    for (const FakeElement* one : inside) {
      if (template_of(one->name) != templates[wanted.digest()]) continue;
      result.mutable_best()->set_confidence(1);
      *result.mutable_best()->mutable_area() = contract::to_proto(
          Rect{one->bounds.x - area.x, one->bounds.y - area.y, one->bounds.width, one->bounds.height});
      *result.add_matches() = result.best();
    }
  }
  if (query.has_picture()) {
    v1::RegionPicture& picture = *answer.mutable_picture();
    *picture.mutable_image() = image_of(answer.content());
    picture.mutable_image()->set_data(answer.content());
    picture.set_width(static_cast<std::uint32_t>(area.width / picture_scale));
    picture.set_height(static_cast<std::uint32_t>(area.height / picture_scale));
    *picture.mutable_part() = contract::to_proto(Rect{0, 0, area.width, area.height});
  }
  if (query.has_ocr()) {
    answer.mutable_ocr()->set_text(text);
    answer.mutable_ocr()->set_average_confidence_percent(text.empty() ? 0 : 95);
  }
  return answer;
}

bool FakeObserver::is_wanted(const v1::LocateRequest& request, const FakeElement& element) const {
  if (!contains_ignoring_case(element.name, request.target())) return false;
  if (element.painted_only && !request.use_ocr()) return false;
  if (!contains_ignoring_case(element.role, request.role() == "field" ? "text" : request.role())) return false;
  if (request.window().empty()) return true;
  return std::ranges::any_of(world_.windows, [&](const FakeWindow& window) {
    return window.id == element.window_id && contains_ignoring_case(window.title, request.window());
  });
}

v1::LocateReply FakeObserver::look_for(const v1::LocateRequest& request) const {
  v1::LocateReply reply;
  reply.set_missing("is nowhere on the screen");
  reply.set_incomplete(incomplete);
  reply.set_frame_id("find " + std::to_string(request.number()));
  std::uint32_t number = 0;
  for (const auto& element : world_.elements) {
    if (!is_wanted(request, *element)) continue;
    if (request.index() != 0 && ++number != request.index()) continue;
    v1::Candidate& candidate = *reply.add_candidates();
    candidate.set_source(element->painted_only ? v1::Candidate::SOURCE_OCR : v1::Candidate::SOURCE_UI_TREE);
    candidate.set_text(element->name);
    *candidate.mutable_bounds() = contract::to_proto(element->bounds);
    if (!element->painted_only) *candidate.mutable_node() = to_node(*element, element->id == world_.focused_element);
    const bool enabled = element->enabled || request.actionable() == v1::ACTIONABLE_UNSPECIFIED ||
                         request.actionable() == v1::ACTIONABLE_HOVERABLE;
    const bool editable = element->editable || request.actionable() != v1::ACTIONABLE_EDITABLE;
    reply.set_missing(!enabled ? "shows, but is not enabled" : !editable ? "shows, but takes no text" : "");
  }
  for (const auto& element : world_.elements) {
    const bool alike = element->name.substr(0, 1) == request.target().substr(0, 1);
    if (reply.candidates_size() > 0 || element->painted_only || !alike) continue;
    v1::Candidate& near = *reply.add_nearest();
    near.set_source(v1::Candidate::SOURCE_UI_TREE);
    near.set_text(element->name);
    *near.mutable_bounds() = contract::to_proto(element->bounds);
    *near.mutable_node() = to_node(*element, element->id == world_.focused_element);
  }
  reply.set_ambiguous(reply.candidates_size() > 1 && reply.candidates(0).text() == reply.candidates(1).text());
  return reply;
}

}  // namespace da::planner
