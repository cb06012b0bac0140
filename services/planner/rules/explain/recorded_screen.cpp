#include "services/planner/rules/explain/recorded_screen.h"

#include <algorithm>

#include "lib/contract/coordinates.h"

namespace da::planner::rules {

RecordedScreen::RecordedScreen(const Profile& profile, const std::vector<TemplateImage>& images, const RecordedRun& run)
    : images_(images), run_(run), pictures_(profile.regions.size()) {
  analyses_.regions.resize(profile.regions.size());
}

void RecordedScreen::take(const v1::RulesEvaluated& evaluation) {
  lacks_.clear();
  analyses_.elements.clear();  // The run asks for elements at each evaluation.
  for (const auto& used : evaluation.answers()) take(used);
  take_models(evaluation);
}

void RecordedScreen::take_models(const v1::RulesEvaluated& evaluation) {
  std::map<ModelKey, Answer<std::string>> present;
  for (RegionAnalyses& region : analyses_.regions) {
    region.models.clear();
    region.models_aged = false;
  }
  for (const auto& said : evaluation.models()) {
    if (said.region() >= analyses_.regions.size()) continue;
    const ModelKey key(said.region(), said.prompt(), said.model());
    const auto before = models_.find(key);
    if (said.as_before() && before == models_.end()) continue;  // It is unknown, as other measurements may be.
    Answer<std::string> answer = said.text();
    if (!said.error().empty()) answer = Error{Code::kUnavailable, said.error()};
    if (said.as_before()) answer = before->second;
    analyses_.regions[said.region()].models.insert_or_assign({said.prompt(), said.model()}, answer);
    present.insert_or_assign(key, std::move(answer));
  }
  for (const std::uint32_t region : evaluation.aged_regions()) {
    if (region < analyses_.regions.size()) analyses_.regions[region].models_aged = true;
  }
  models_ = std::move(present);
}

void RecordedScreen::take(const v1::RulesEvaluated::UsedAnswer& used) {
  const auto found = run_.answers.find(used.number());
  if (found == run_.answers.end()) {
    return lose("the recording lacks the observer's answer " + std::to_string(used.number()));
  }
  const v1::ObserverAnswer& answer = found->second;
  if (used.use() == v1::RulesEvaluated::UsedAnswer::USE_FIND && answer.has_locate()) {
    const std::pair key(answer.locate().target(), answer.locate().role());
    if (answer.has_located()) {
      analyses_.elements.insert_or_assign(key, elements_of(answer.located()));
    } else {
      analyses_.elements.insert_or_assign(key, Error{Code::kFailedPrecondition, answer.error()});
    }
    return;
  }
  if (!answer.has_analyze() || !answer.has_analysis()) {
    return lose("the observer's answer " + std::to_string(used.number()) + " is no analysis");
  }
  if (used.use() == v1::RulesEvaluated::UsedAnswer::USE_LOOK) return take_look(answer);
  if (const auto added = add_reply(answer.analyze(), answer.analysis(), images_, analyses_); !added) {
    lose(added.error().message);
  }
}

void RecordedScreen::take_look(const v1::ObserverAnswer& answer) {
  analyses_.elements.clear();
  if (const auto replaced = replace_changed(answer.analyze(), answer.analysis(), images_, analyses_); !replaced) {
    return lose(replaced.error().message);
  }
  for (int i = 0; i < answer.analysis().regions_size(); ++i) {
    const v1::RegionAnalysis& region = answer.analysis().regions(i);
    const auto index = region_index(answer.analyze().regions(i));
    if (!index || *index >= pictures_.size() || region.unchanged()) continue;
    pictures_[*index] = {region.picture().image().image_hash(), contract::from_proto(region.picture().part())};
  }
}

void RecordedScreen::lose(const std::string& why) {
  lacks_ = why;
  std::ranges::fill(analyses_.regions, RegionAnalyses{});
  std::ranges::fill(pictures_, RegionPicture{});
  analyses_.elements.clear();
}

}  // namespace da::planner::rules
