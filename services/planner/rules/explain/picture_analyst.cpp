#include "services/planner/rules/explain/picture_analyst.h"

#include <algorithm>

#include "lib/contract/coordinates.h"
#include "lib/contract/digest.h"
#include "services/planner/rules/explain/picture_file.h"

namespace da::planner::rules {
namespace {

bool is_inside(const Rect& inner, const Rect& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

// Width or height 0 means up to the window's edge, wherever that is.
Rect with_open_edges(const Rect& area) {
  constexpr int kFar = 1 << 24;
  return {area.x, area.y, area.width == 0 ? kFar : area.width, area.height == 0 ? kFar : area.height};
}

bool is_of_picture(const Question& question) {
  return question.region && question.kind != QuestionKind::kElement && question.kind != QuestionKind::kModel;
}

void add_need(const Question& question, const RegionNeeds& usual, RegionNeeds& needs) {
  needs.used = true;
  needs.average = needs.average || question.kind == QuestionKind::kAverage;
  needs.ocr = needs.ocr || question.kind == QuestionKind::kOcr;
  if (question.kind == QuestionKind::kDominant) needs.dominant = usual.dominant;
}

}  // namespace

PictureAnalyst::PictureAnalyst(const RecordedRun& run, const LoadedProfile& recorded, const LoadedProfile& current)
    : run_(run), recorded_(recorded), current_(current), engine_(current.profile) {
  for (const Region& region : current.profile.regions) places_.push_back(find_place(region));
}

std::optional<PictureAnalyst::Place> PictureAnalyst::find_place(const Region& region) const {
  std::optional<Place> around;
  const auto& recorded = recorded_.profile.regions;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (recorded[i].window != region.window) continue;
    if (recorded[i].area == region.area) return Place{i, {0, 0}};
    const bool has_size = region.area.width > 0 && region.area.height > 0;
    if (around || !has_size || !is_inside(region.area, with_open_edges(recorded[i].area))) continue;
    around = Place{i, {region.area.x - recorded[i].area.x, region.area.y - recorded[i].area.y}};
  }
  return around;
}

Result<bool> PictureAnalyst::answer(const std::vector<Question>& questions, const RecordedScreen& screen,
                                    Analyses& analyses) {
  std::map<std::size_t, std::vector<Question>> by_region;
  for (const Question& question : questions) {
    if (is_of_picture(question) && places_[*question.region]) by_region[*question.region].push_back(question);
  }
  bool answered = false;
  for (const auto& [index, asked] : by_region) {
    const auto& live = screen.analyses().regions[places_[index]->region].area;
    if (!live) continue;
    if (const auto* area = std::get_if<Rect>(&*live)) {
      ASSIGN_OR_RETURN(const bool of_region, answer_region(index, asked, screen, *area, analyses));
      answered = answered || of_region;
    } else {
      analyses.regions[index].area = *live;  // The window is closed, or the region is outside of the desktop.
      answered = true;
    }
  }
  return answered;
}

// `live`: where the recorded region was.
Result<bool> PictureAnalyst::answer_region(std::size_t index, const std::vector<Question>& asked,
                                           const RecordedScreen& screen, const Rect& live, Analyses& analyses) {
  const Place& place = *places_[index];
  const RegionPicture& picture = screen.pictures()[place.region];
  const Rect& own = current_.profile.regions[index].area;
  const bool whole = own == recorded_.profile.regions[place.region].area;
  const Rect region{live.x + place.offset.x, live.y + place.offset.y, whole ? live.width : own.width,
                    whole ? live.height : own.height};
  if (picture.hash.empty() || !is_inside(region, live)) return false;
  const Rect in_picture{place.offset.x - picture.part.x, place.offset.y - picture.part.y, region.width, region.height};
  std::vector<RegionNeeds> needs(current_.profile.regions.size());
  for (const Question& question : asked) add_need(question, engine_.needs()[index], needs[index]);
  bool answered = false;
  for (v1::AnalyzeRequest& request : analyze_requests(current_.profile, needs, asked, current_.images)) {
    for (v1::RegionQuery& query : *request.mutable_regions()) *query.mutable_area() = contract::to_proto(in_picture);
    ASSIGN_OR_RETURN(auto reply, analyse(picture, request));
    if (!reply) continue;
    for (v1::RegionAnalysis& one : *reply->mutable_regions()) {
      if (!one.has_error()) *one.mutable_area() = contract::to_proto(region);
    }
    RETURN_IF_ERROR(add_reply(request, *reply, current_.images, analyses));
    answered = true;
  }
  return answered;
}

// nullopt: the picture is not usable.
Result<std::optional<v1::AnalyzeReply>> PictureAnalyst::analyse(const RegionPicture& picture,
                                                                const v1::AnalyzeRequest& request) {
  const std::string key = picture.hash + contract::canonical_bytes(request);
  if (const auto found = known_.find(key); found != known_.end()) return std::optional(found->second);
  if (unusable_.contains(picture.hash)) return std::optional<v1::AnalyzeReply>();
  const auto image = read_picture(run_, picture.hash);
  if (!image) {
    unusable_.emplace(picture.hash, image.error().message);
    return std::optional<v1::AnalyzeReply>();
  }
  auto replies = analyze_bytes(image->data(), {request});
  if (!replies && replies.error().code == Code::kFailedPrecondition) {
    unusable_.emplace(picture.hash, replies.error().message);
    return std::optional<v1::AnalyzeReply>();
  }
  if (!replies) return replies.error();
  return std::optional(known_.emplace(key, std::move(replies->front())).first->second);
}

}  // namespace da::planner::rules
