#include "services/planner/rules/run/screen_watch.h"

#include <algorithm>

#include "lib/contract/coordinates.h"

namespace da::planner::rules {
namespace {

// One request's share of the observer's 8 MiB; and its limit.
constexpr std::size_t kMaxSentBytes = 6 << 20;
constexpr int kMaxSentTemplates = 64;

std::size_t index_in(const v1::RegionQuery& query) { return std::stoul(query.name()); }

std::set<std::string> missing_templates(const v1::AnalyzeReply& reply) {
  std::set<std::string> digests;
  for (const v1::RegionAnalysis& region : reply.regions()) {
    for (const v1::TemplateResult& result : region.templates()) {
      if (result.error().code() == v1::AnalysisError::CODE_TEMPLATE_MISSING) digests.insert(result.digest());
    }
  }
  return digests;
}

Error wrong_reply() { return {Code::kInternal, "the observer did not answer about each region"}; }

}  // namespace

void ScreenWatch::begin_cycle() {
  questions_.begin_cycle();
  aged_.clear();
  for (RegionAnalyses& region : analyses_.regions) region.models.clear();
}

Result<void> ScreenWatch::look() {
  analyses_.elements.clear();
  has_waited_ = false;
  for (v1::AnalyzeRequest& request : analyze_requests(loaded_.profile, engine_.needs(), {}, loaded_.images)) {
    for (v1::RegionQuery& query : *request.mutable_regions()) query.set_known_content(contents_[index_in(query)]);
    ASSIGN_OR_RETURN(const auto reply, ask(request));
    RETURN_IF_ERROR(add_changed(request, reply));
  }
  return ok();
}

// Forgets what was known of regions that changed. An unchanged region may have moved with its window.
Result<void> ScreenWatch::add_changed(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply) {
  v1::AnalyzeRequest changed_request;
  v1::AnalyzeReply changed;
  for (int i = 0; i < reply.regions_size(); ++i) {
    const std::size_t index = index_in(request.regions(i));
    const v1::RegionAnalysis& region = reply.regions(i);
    if (region.unchanged()) {
      analyses_.regions[index].area = contract::from_proto(region.area());
      continue;
    }
    analyses_.regions[index] = {};
    aged_.erase(index);
    contents_[index] = region.content();
    *changed_request.add_regions() = request.regions(i);
    *changed.add_regions() = region;
  }
  return add_reply(changed_request, changed, loaded_.images, analyses_);
}

Result<ScreenWatch::Screen> ScreenWatch::answer(const std::vector<Question>& questions, Changes changes) {
  std::vector<Question> of_regions;
  for (const Question& question : questions) {
    if (question.kind == QuestionKind::kElement) {
      RETURN_IF_ERROR(find_elements(question));
    } else if (question.kind != QuestionKind::kModel) {
      of_regions.push_back(question);
    }
  }
  if (of_regions.empty()) {
    const auto model = std::ranges::find(questions, QuestionKind::kModel, &Question::kind);
    return model == questions.end() ? Screen::kSame : ask_model(*model, changes);
  }
  const std::vector<RegionNeeds> none(loaded_.profile.regions.size());
  for (const v1::AnalyzeRequest& request : analyze_requests(loaded_.profile, none, of_regions, loaded_.images)) {
    ASSIGN_OR_RETURN(const auto reply, ask(request));
    for (int i = 0; i < reply.regions_size(); ++i) {
      std::string& known = contents_[index_in(request.regions(i))];
      if (known.empty()) known = reply.regions(i).content();
      if (known == reply.regions(i).content()) continue;
      if (changes == Changes::kReport) return Screen::kChanged;
      known.clear();  // A mixture: the next look() asks anew.
    }
    RETURN_IF_ERROR(add_reply(request, reply, loaded_.images, analyses_));
  }
  return Screen::kSame;
}

Result<ScreenWatch::Screen> ScreenWatch::ask_model(const Question& question, Changes changes) {
  const std::size_t index = *question.region;
  const std::pair key(question.name, question.role);
  RegionAnalyses& region = analyses_.regions[index];
  const Answer<std::string>* known = contents_[index].empty() ? nullptr : questions_.find(question, contents_[index]);
  if (known == nullptr && changes == Changes::kAccept) {
    known = questions_.newest(question);
    if (known != nullptr) aged_.insert(index);
  }
  if (known != nullptr) {
    region.models.insert_or_assign(key, *known);
    return Screen::kSame;
  }
  const v1::AnalyzeRequest request = picture_request(loaded_.profile, index, questions_.image_limits(question));
  ASSIGN_OR_RETURN(const auto reply, ask(request));
  const v1::RegionAnalysis& seen = reply.regions(0);
  if (contents_[index] != seen.content() && !contents_[index].empty() && changes == Changes::kReport) {
    return Screen::kChanged;
  }
  if (seen.has_error()) {
    RETURN_IF_ERROR(add_reply(request, reply, loaded_.images, analyses_));
    return Screen::kSame;
  }
  if (!seen.has_picture()) return wrong_reply();
  if (contents_[index] != seen.content()) contents_[index].clear();  // As in answer().
  has_waited_ = true;
  RETURN_IF_ERROR(questions_.ask(question, seen.content(), seen.picture()));
  region.models.insert_or_assign(key, *questions_.find(question, seen.content()));
  return Screen::kSame;
}

// Sends pictures of templates once, and again if the observer has lost them, such as after its restart.
Result<v1::AnalyzeReply> ScreenWatch::ask(const v1::AnalyzeRequest& request) {
  v1::AnalyzeRequest light = request;
  light.clear_templates();
  std::set<std::string> unsent;
  for (const v1::Template& one : request.templates()) {
    if (!sent_.contains(one.digest())) unsent.insert(one.digest());
  }
  RETURN_IF_ERROR(send_templates(unsent));
  ASSIGN_OR_RETURN(auto reply, view_.analyze(light));
  if (const auto missing = missing_templates(reply); !missing.empty()) {
    RETURN_IF_ERROR(send_templates(missing));
    ASSIGN_OR_RETURN(reply, view_.analyze(light));
  }
  if (reply.regions_size() != light.regions_size()) return wrong_reply();
  return reply;
}

Result<void> ScreenWatch::send_templates(const std::set<std::string>& digests) {
  v1::AnalyzeRequest request;
  std::size_t bytes = 0;
  const auto send = [&]() -> Result<void> {
    if (request.templates().empty()) return ok();
    const auto sent = view_.analyze(std::exchange(request, {}));
    bytes = 0;
    if (!sent) return sent.error();
    return ok();
  };
  for (const std::string& digest : digests) {
    const auto image = std::ranges::find(loaded_.images, digest, &TemplateImage::digest);
    if (image == loaded_.images.end()) continue;
    if (bytes + image->content.size() > kMaxSentBytes || request.templates_size() == kMaxSentTemplates) {
      RETURN_IF_ERROR(send());
    }
    v1::Template& one = *request.add_templates();
    one.set_digest(digest);
    one.set_image(image->content);
    bytes += image->content.size();
    sent_.insert(digest);
  }
  return send();
}

Result<void> ScreenWatch::find_elements(const Question& question) {
  const std::pair key(question.name, question.role);
  const ElementQuery query{.name = question.name, .role = question.role, .index = 0, .window = {}};
  const auto found = view_.find(query, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWithout, Milliseconds(0));
  if (!found) {
    if (is_lost_or_cancelled(found.error())) return found.error();
    analyses_.elements.insert_or_assign(key, found.error());
    return ok();
  }
  std::vector<v1::UiNode> nodes;
  for (const v1::Candidate& candidate : found->candidates()) {
    if (!candidate.has_node()) continue;
    nodes.push_back(candidate.node());
    if (!found->ambiguous()) break;  // The first is clearly the best.
  }
  analyses_.elements.insert_or_assign(key, std::move(nodes));
  return ok();
}

}  // namespace da::planner::rules
