// The output of `add-region` and `add-template`: the new entry, notes about its place, and commands to try it. Pure;
// any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "services/console/profiles/options.h"
#include "services/console/profiles/place.h"

namespace da::console {

// `added`: the answer of add_to_profile(). Lines for people.
std::string added_text(const AddToProfileOptions& options, const Place& place, const nlohmann::ordered_json& added);
// One JSON object: profile, list, entry, picture, on_desktop, window_title, notes, errors, warnings.
std::string added_json(const AddToProfileOptions& options, const Place& place, const nlohmann::ordered_json& added);

}  // namespace da::console
