// Runs the programs of services for profiles: da-planner knows their format, da-observer decodes pictures. Each call
// starts a program and blocks until it ends. Any thread.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::console {

struct ProfileAddition {
  std::string list;  // "regions" or "templates".
  std::filesystem::path profile;
  nlohmann::ordered_json entry;  // JSON argument of `da-planner profile add`.
  bool replace = false;
  std::string picture;  // PNG, of a template.
};

// Returns the answer of `da-planner profile add`. kAborted: it has refused, and has printed why.
Result<nlohmann::ordered_json> add_to_profile(const ProfileAddition& addition);

struct ProfileCheck {
  bool has_errors = false;
  std::vector<std::string> problems;  // Lines for people; foreign text is escaped.
};
// Checks the content of `file`. The lines name the file as `shown`.
Result<ProfileCheck> check_profile(const std::filesystem::path& file, const std::string& shown);

// Returns what the profile reads, sends to models and does, as lines for people; foreign text is escaped. `variables`:
// the names of those that the command line gives.
Result<std::string> profile_summary(std::string_view text, const std::vector<std::string>& variables);

// The part of a PNG picture, in its pixels.
Result<std::string> crop_picture(const std::string& picture, const Rect& part);

}  // namespace da::console
