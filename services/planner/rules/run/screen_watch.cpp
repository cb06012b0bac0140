#include "services/planner/rules/run/screen_watch.h"

#include <algorithm>

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

std::vector<v1::AnalyzeRequest> ScreenWatch::requests() const {
  auto requests = analyze_requests(loaded_.profile, engine_.needs(), {}, loaded_.images);
  for (v1::AnalyzeRequest& request : requests) {
    for (v1::RegionQuery& query : *request.mutable_regions()) {
      query.set_known_content(contents_[index_in(query)]);
      if (loaded_.pictures) query.mutable_picture()->set_for_recording(true);
    }
    request.set_seen(seen_);
  }
  return requests;
}

void ScreenWatch::begin_cycle() {
  questions_.begin_cycle();
  for (RegionAnalyses& region : analyses_.regions) {
    region.models.clear();
    region.models_aged = false;
  }
}

Result<void> ScreenWatch::look() {
  analyses_.elements.clear();
  has_waited_ = false;
  if (std::exchange(fresh_, false)) return ok();
  const auto asked = requests();
  for (const v1::AnalyzeRequest& request : asked) {
    ASSIGN_OR_RETURN(const auto reply, ask(request));
    RETURN_IF_ERROR(take(request, reply));
  }
  if (asked.size() != 1) seen_.clear();
  return ok();
}

Result<ScreenWatch::Screen> ScreenWatch::await_change(Milliseconds least, Milliseconds most) {
  fresh_ = false;
  v1::AnalyzeRequest request = requests().front();  // Of several, seen_ is empty.
  request.set_min_wait_ms(static_cast<std::uint32_t>(std::max<std::int64_t>(least.count(), 0)));
  request.set_max_wait_ms(static_cast<std::uint32_t>(std::max<std::int64_t>(most.count(), 1)));
  ASSIGN_OR_RETURN(const auto reply, ask(request));
  work_ = std::chrono::microseconds(reply.work_us());
  ASSIGN_OR_RETURN(const Screen screen, take(request, reply));
  fresh_ = true;
  return screen;
}

// Forgets what was known of regions that changed.
Result<ScreenWatch::Screen> ScreenWatch::take(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply) {
  changes_reported_ = reply.changes_reported();
  if (reply.unchanged()) return Screen::kSame;
  seen_ = reply.seen();
  for (int i = 0; i < reply.regions_size(); ++i) {
    if (reply.regions(i).unchanged()) continue;
    contents_[index_in(request.regions(i))] = reply.regions(i).content();
  }
  RETURN_IF_ERROR(replace_changed(request, reply, loaded_.images, analyses_));
  note(v1::RulesEvaluated::UsedAnswer::USE_LOOK);
  return Screen::kChanged;
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
      seen_.clear();
    }
    RETURN_IF_ERROR(add_reply(request, reply, loaded_.images, analyses_));
    note(v1::RulesEvaluated::UsedAnswer::USE_ADD);
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
    region.models_aged = known != nullptr;
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
    note(v1::RulesEvaluated::UsedAnswer::USE_ADD);
    return Screen::kSame;
  }
  if (!seen.has_picture()) return wrong_reply();
  if (contents_[index] != seen.content()) {  // The next look() asks anew, as in answer().
    contents_[index].clear();
    seen_.clear();
  }
  if (const Answer<std::string>* asked = questions_.find(question, seen.content())) {
    region.models.insert_or_assign(key, *asked);
    return Screen::kSame;
  }
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
  const bool has_no_regions = reply.unchanged() && !light.seen().empty();
  if (!has_no_regions && reply.regions_size() != light.regions_size()) return wrong_reply();
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
  if (!found && is_lost_or_cancelled(found.error())) return found.error();
  if (found) {
    analyses_.elements.insert_or_assign(key, elements_of(*found));
  } else {
    analyses_.elements.insert_or_assign(key, found.error());
  }
  note(v1::RulesEvaluated::UsedAnswer::USE_FIND);
  return ok();
}

void ScreenWatch::note(v1::RulesEvaluated::UsedAnswer::Use use) {
  v1::RulesEvaluated::UsedAnswer& answer = used_.emplace_back();
  answer.set_number(view_.last_number());
  answer.set_use(use);
}

}  // namespace da::planner::rules
