// A profile that a console sent, read and checked before its first cycle. Immutable after load(); any thread.
#pragma once

#include <string>
#include <vector>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/rules/engine/analysis_request.h"
#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

struct LoadedProfile {
  std::string text;  // The profile's file.
  Profile profile;
  std::vector<TemplateImage> images;  // Indexed like the profile's templates.
  Variables variables;                // Given on the command line.
  bool once = false;                  // One cycle.
  bool pictures = true;               // Changed regions are recorded as pictures.
  Milliseconds run_for{0};            // 0: until the task's time limit.
  std::vector<std::string> warnings;  // "mail.json:3:5: warning: ..."; foreign text is escaped.
};

// kInvalidArgument: the first errors of the profile, one a line, with line and column; or it is too large.
Result<LoadedProfile> load(const v1::ProfileRun& run);

// The same of a recorded run, whose templates have digests instead of pictures: the images have no content.
Result<LoadedProfile> load_recorded(const v1::ProfileRun& run);

}  // namespace da::planner::rules
