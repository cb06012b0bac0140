// Answers the questions of rules from the pictures of regions that a recording has, where it lacks the measurement,
// such as after the profile was changed. Executes da-observer for each picture, and remembers its answers by content. A
// region is looked for in the picture of the same region, or of one around it. Elements and models cannot be asked.
// One thread. The constructor's references must outlive the object.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/explain/recorded_run.h"
#include "services/planner/rules/explain/recorded_screen.h"
#include "services/planner/rules/run/loaded_profile.h"

namespace da::planner::rules {

class PictureAnalyst {
 public:
  PictureAnalyst(const RecordedRun& run, const LoadedProfile& recorded, const LoadedProfile& current);

  // Adds the answers that the present pictures have to `analyses`, whose regions are those of the current profile.
  // False: there are none. An error: da-observer cannot be executed.
  Result<bool> answer(const std::vector<Question>& questions, const RecordedScreen& screen, Analyses& analyses);

  // Pictures that could not be used, with the reason, in words.
  const std::map<std::string, std::string>& unusable() const { return unusable_; }

 private:
  struct Place {
    std::size_t region = 0;  // Index in the recorded profile.
    Point offset;            // The current region's origin, relative to that region.
  };

  std::optional<Place> find_place(const Region& region) const;
  Result<bool> answer_region(std::size_t index, const std::vector<Question>& asked, const RecordedScreen& screen,
                             const Rect& live, Analyses& analyses);
  Result<std::optional<v1::AnalyzeReply>> analyse(const RegionPicture& picture, const v1::AnalyzeRequest& request);

  const RecordedRun& run_;
  const LoadedProfile& recorded_;
  const LoadedProfile& current_;
  const Engine engine_;
  std::vector<std::optional<Place>> places_;       // Indexed like the current profile's regions.
  std::map<std::string, v1::AnalyzeReply> known_;  // Keyed by picture and request.
  std::map<std::string, std::string> unusable_;    // Keyed by the picture's hash.
};

}  // namespace da::planner::rules
