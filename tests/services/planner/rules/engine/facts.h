// Analyses for tests, written as JSON. A region with the name "main" is {"pixels": {"x,y": [b,g,r]}, "average":
// [b,g,r], "dominant": [[b,g,r,percent]], "ocr": {"text", "confidence", "words": [[text,x,y,w,h]]}, "templates": {name:
// [confidence,x,y,w,h]}, "models": {prompt: answer}}; {"gone": why} or {"area_error": why} instead of all; {"no_area":
// true}: unknown. {"error": why} stands for any answer. Elements: {"name|role": [{"role","name","states","box"}]}.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "services/planner/rules/engine/analyses.h"

namespace da::planner::rules {

// Adds what the JSON tells about the region; its area is that of the profile unless it says otherwise.
void add_region_facts(const Profile& profile, const std::string& region, const nlohmann::json& facts,
                      Analyses& analyses);
void add_element_facts(const nlohmann::json& facts, Analyses& analyses);

Analyses no_analyses(const Profile& profile);

}  // namespace da::planner::rules
