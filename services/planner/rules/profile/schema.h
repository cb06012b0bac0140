// The format of profiles as a JSON Schema, and as tables for people, both from rule_fields.h. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace da::planner::rules {

// Draft 2020-12. It knows no names: whether a region exists is the reader's check. Numbers and flags may be texts, as
// Mark-I's editor writes them.
nlohmann::ordered_json profile_schema();

// The tables of docs/PROFILES.md.
std::string parameter_tables();

}  // namespace da::planner::rules
