// What a recorded run knew of the screen at each of its evaluations: made again from the observer's answers, in the
// order in which the run used them. One thread. The constructor's references must outlive the object.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "services/planner/rules/engine/analysis_request.h"
#include "services/planner/rules/explain/recorded_run.h"

namespace da::planner::rules {

// The newest picture of a region.
struct RegionPicture {
  std::string hash;  // Hash of the image fact; empty if the recording has no picture of the region's present content.
  Rect part;         // Pixels of the region: what the picture shows.
};

class RecordedScreen {
 public:
  // `images`: the templates of `profile`, which is the recorded one; only their digests count.
  RecordedScreen(const Profile& profile, const std::vector<TemplateImage>& images, const RecordedRun& run);

  // Takes the answers that this evaluation used. If one is missing, all regions are unknown until the observer told
  // about them again.
  void take(const v1::RulesEvaluated& evaluation);

  const Analyses& analyses() const { return analyses_; }
  const std::vector<RegionPicture>& pictures() const { return pictures_; }  // Indexed like the profile's regions.
  // What the recording lacks of this evaluation; empty: nothing.
  const std::string& lacks() const { return lacks_; }

 private:
  using ModelKey = std::tuple<std::uint32_t, std::string, std::string>;  // Region, prompt, model.

  void take(const v1::RulesEvaluated::UsedAnswer& used);
  void take_models(const v1::RulesEvaluated& evaluation);
  void take_look(const v1::ObserverAnswer& answer);
  void lose(const std::string& why);

  const std::vector<TemplateImage>& images_;
  const RecordedRun& run_;
  Analyses analyses_;
  std::map<ModelKey, Answer<std::string>> models_;  // Answers at the last evaluation.
  std::vector<RegionPicture> pictures_;
  std::string lacks_;
};

}  // namespace da::planner::rules
