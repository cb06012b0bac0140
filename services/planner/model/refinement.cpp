#include "services/planner/model/refinement.h"

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/json/schema.h"
#include "services/planner/model/prompt.h"
#include "services/planner/tools/described_target.h"

namespace da::planner::model {
namespace {

// The wait for a described element before a model that takes images is asked where it sees it.
constexpr Milliseconds kShortSearch{2'000};
constexpr std::uint32_t kAnswerTokens = 2'048;  // Enough for a box; some models think before it.
constexpr int kMostAnswers = 2;

bool is_in(const std::vector<v1::Decision::Region>& regions, const v1::Candidate& candidate) {
  const Point middle = contract::from_proto(candidate.bounds()).center();
  return std::ranges::any_of(regions,
                             [&](const auto& region) { return contract::from_proto(region.area()).contains(middle); });
}

// Drops the candidates outside of the regions. One that is left is not ambiguous.
void keep_those_in(const std::vector<v1::Decision::Region>& regions, v1::LocateReply& reply) {
  auto& candidates = *reply.mutable_candidates();
  const int before = candidates.size();
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                  [&](const v1::Candidate& candidate) { return !is_in(regions, candidate); }),
                   candidates.end());
  if (candidates.size() == before) return;
  if (candidates.size() < 2) reply.set_ambiguous(false);
  if (candidates.empty()) reply.clear_missing();
}

}  // namespace

std::string names_of(const std::vector<v1::Decision::Region>& regions) {
  std::string names;
  for (const auto& region : regions) names += (names.empty() ? "" : ", ") + quote_foreign(region.name());
  return names;
}

Result<std::vector<v1::Step>> Refinement::refine(const v1::Step& step) {
  const std::string target = description_in(step.action());
  const bool takes_images = sees_ == Sees::kImages;
  bool elsewhere = false;  // The only such elements are outside of the regions.
  const auto find = [&](Milliseconds wait) -> Result<v1::LocateReply> {
    ASSIGN_OR_RETURN(auto reply, find_described(step.action(), view_, wait));
    const bool found = !reply.candidates().empty();
    if (!regions_.empty()) keep_those_in(regions_, reply);
    elsewhere = found && reply.candidates().empty();
    return reply;
  };
  Milliseconds wait = takes_images ? kShortSearch : kTargetWait;
  ASSIGN_OR_RETURN(auto reply, find(wait));
  const bool unknown = !reply.ambiguous() && reply.candidates().empty();
  const bool not_ready = takes_images && !reply.ambiguous() && !reply.missing().empty() && !unknown;
  if (not_ready) {
    wait = kTargetWait;
    ASSIGN_OR_RETURN(reply, find(wait - kShortSearch));
  }
  v1::Step found = step;
  found.set_frame_id(view_.last_found_frame());
  if (const auto one = the_one_of(reply, target, wait)) return steps_on(found, *one);
  const Error told = elsewhere ? Error{Code::kFailedPrecondition,
                                       describe_target(target) + " is outside of the regions " + names_of(regions_)}
                               : the_one_of(reply, target, wait).error();
  if (!takes_images || !unknown) return told;
  ASSIGN_OR_RETURN(const auto seen, regions_.empty() ? ask_where(target) : ask_where_in_regions(target));
  found.set_frame_id(shown_frame_);
  if (seen) return steps_at(found, *seen);
  return Error{told.code, told.message + ", and the model sees no such element, or several"};
}

Result<std::optional<v1::Point>> Refinement::ask_where(const std::string& target) {
  ASSIGN_OR_RETURN(const auto seen, view_.look(Picture::kPlain, Milliseconds(0)));
  ASSIGN_OR_RETURN(auto picture, view_.image(seen.image_hash()));
  shown_frame_ = seen.frame_id();
  const auto& coordinates = seen.coordinates();
  return ask_about(
      target,
      {picture.media_type(), std::move(*picture.mutable_data()), coordinates.image_width(), coordinates.image_height()},
      coordinates);
}

// Asks about each region, because a second region may show such an element as well. Regions may overlap.
Result<std::optional<v1::Point>> Refinement::ask_where_in_regions(const std::string& target) {
  std::optional<v1::Point> found;
  for (const v1::Decision::Region& region : regions_) {
    v1::AnalyzeRequest request;
    v1::RegionQuery& query = *request.add_regions();
    *query.mutable_area() = region.area();
    *query.mutable_picture()->mutable_limits() = view_.image_wants().limits;
    ASSIGN_OR_RETURN(auto reply, view_.analyze(std::move(request)));
    shown_frame_ = reply.frame_id();
    if (reply.regions_size() != 1 || !reply.regions(0).has_picture()) {
      return Error{Code::kFailedPrecondition,
                   "the region " + quote_foreign(region.name()) + " cannot be shown: " +
                       escape_foreign(reply.regions_size() == 1 ? reply.regions(0).error().message()
                                                                : "the observer did not answer")};
    }
    v1::RegionPicture& picture = *reply.mutable_regions(0)->mutable_picture();
    v1::CoordinateContract coordinates;
    *coordinates.mutable_desktop() = picture.part();
    coordinates.mutable_desktop()->set_x(picture.part().x() + region.area().x());
    coordinates.mutable_desktop()->set_y(picture.part().y() + region.area().y());
    coordinates.set_image_width(picture.width());
    coordinates.set_image_height(picture.height());
    Image image{picture.image().media_type(), std::move(*picture.mutable_image()->mutable_data()), picture.width(),
                picture.height()};
    ASSIGN_OR_RETURN(const auto at, ask_about(target, std::move(image), coordinates));
    if (at && found && !contract::from_proto(region.area()).contains(contract::from_proto(*found))) {
      return Error{Code::kFailedPrecondition,
                   "the model sees " + quote_foreign(target) + " in several of the regions " + names_of(regions_)};
    }
    if (at && !found) found = at;
  }
  return found;
}

// Uses a separate dialogue, so that the task's dialogue does not grow. `coordinates` maps the image to the desktop.
Result<std::optional<v1::Point>> Refinement::ask_about(const std::string& target, Image image,
                                                       const v1::CoordinateContract& coordinates) {
  Request request;
  request.system = find_prompt();
  request.max_output_tokens = kAnswerTokens;
  request.schema_name = "box";
  request.schema = contract::box_schema();
  Message question{.text = find_question(target)};
  question.images.push_back(std::move(image));
  request.messages.push_back(std::move(question));
  for (int answers = 1;; ++answers) {
    ASSIGN_OR_RETURN(const Reply reply, caller_.ask(request));
    if (reply.finish != Finish::kComplete) {
      return Error{Code::kFailedPrecondition, "the model did not say where it sees " + quote_foreign(target) + ": " +
                                                  escape_foreign(reply.detail, 200)};
    }
    const auto box = contract::parse_box(reply.text, static_cast<int>(coordinates.image_width()),
                                         static_cast<int>(coordinates.image_height()));
    if (box && !*box) return std::optional<v1::Point>();
    if (box) {
      ASSIGN_OR_RETURN(const Point at, contract::map_to_desktop(coordinates, (*box)->center()));
      return std::optional(contract::to_proto(at));
    }
    if (answers >= kMostAnswers) {
      return Error{Code::kFailedPrecondition,
                   "the model's box for " + quote_foreign(target) + " could not be used: " + box.error().message};
    }
    request.messages.push_back({.from = Message::From::kModel, .text = reply.text});
    request.messages.push_back({.text = repair_prompt(box.error().message)});
    request.max_output_tokens /= 2;
  }
}

}  // namespace da::planner::model
