#include "tests/services/planner/rules/engine/facts.h"

#include <algorithm>

#include "services/planner/rules/profile/element_states.h"

namespace da::planner::rules {
namespace {

using nlohmann::json;

Bgr colour(const json& value) { return {value.at(0), value.at(1), value.at(2)}; }
Rect rect(const json& value, std::size_t at = 0) {
  return {value.at(at), value.at(at + 1), value.at(at + 2), value.at(at + 3)};
}

template <class T, class Read>
Answer<T> answer(const json& value, Read read) {
  if (value.is_object() && value.contains("error")) return Error{Code::kInvalidArgument, value["error"]};
  return read(value);
}

// The member, which lives as long as the facts; an empty object if it is missing.
const json& part(const json& facts, const char* name) {
  static const json kEmpty = json::object();
  return facts.contains(name) ? facts[name] : kEmpty;
}

OcrSeen ocr(const json& value) {
  OcrSeen seen{value.at("text"), value.at("confidence"), {}};
  for (const json& word : part(value, "words")) seen.words.push_back({word.at(0), rect(word, 1)});
  return seen;
}

std::vector<ColourShare> shares(const json& value) {
  std::vector<ColourShare> all;
  for (const json& one : value) all.push_back({colour(one), one.at(3)});
  return all;
}

TemplateSeen match(const json& value) {
  if (value.is_null()) return {};
  return {rect(value, 1), value.at(0), value.size() > 5};
}

std::vector<v1::UiNode> nodes(const json& value) {
  std::vector<v1::UiNode> all;
  for (const json& one : value) {
    v1::UiNode& node = all.emplace_back();
    node.set_element_id("id-" + std::to_string(all.size()));
    node.set_role(one.at("role"));
    node.set_name(one.at("name"));
    for (const json& state : one.at("states")) node.add_states(read_state(state.get<std::string>())->state);
    const Rect box = rect(one.at("box"));
    node.mutable_bounds()->set_x(box.x);
    node.mutable_bounds()->set_y(box.y);
    node.mutable_bounds()->set_width(static_cast<std::uint32_t>(box.width));
    node.mutable_bounds()->set_height(static_cast<std::uint32_t>(box.height));
  }
  return all;
}

std::pair<int, int> point(const std::string& text) {
  const auto comma = text.find(',');
  return {std::stoi(text.substr(0, comma)), std::stoi(text.substr(comma + 1))};
}

}  // namespace

Analyses no_analyses(const Profile& profile) { return {std::vector<RegionAnalyses>(profile.regions.size()), {}}; }

void add_region_facts(const Profile& profile, const std::string& name, const json& facts, Analyses& analyses) {
  const auto found = std::ranges::find(profile.regions, name, &Region::name);
  RegionAnalyses& region = analyses.regions.at(static_cast<std::size_t>(found - profile.regions.begin()));
  if (!facts.contains("no_area")) region.area = facts.contains("area") ? rect(facts["area"]) : found->area;
  if (facts.contains("gone")) region.area = Unavailable{facts["gone"]};
  if (facts.contains("area_error")) region.area = Error{Code::kOutOfRange, facts["area_error"]};
  if (facts.contains("average")) region.average = answer<Bgr>(facts["average"], colour);
  if (facts.contains("dominant")) region.dominant = answer<std::vector<ColourShare>>(facts["dominant"], shares);
  if (facts.contains("ocr")) region.ocr = answer<OcrSeen>(facts["ocr"], ocr);
  for (const auto& [at, value] : part(facts, "pixels").items()) {
    region.pixels.emplace(point(at), answer<Bgr>(value, colour));
  }
  for (const auto& [image, value] : part(facts, "templates").items()) {
    const auto index = std::ranges::find(profile.templates, image, &Template::name) - profile.templates.begin();
    region.templates.emplace(index, answer<TemplateSeen>(value, match));
  }
  for (const auto& [prompt, value] : part(facts, "models").items()) {
    region.models.emplace(std::pair(prompt, std::string()),
                          answer<std::string>(value, [](const json& text) { return text.get<std::string>(); }));
  }
}

void add_element_facts(const json& facts, Analyses& analyses) {
  for (const auto& [key, value] : facts.items()) {
    const auto bar = key.find('|');
    analyses.elements.emplace(std::pair(key.substr(0, bar), key.substr(bar + 1)),
                              answer<std::vector<v1::UiNode>>(value, nodes));
  }
}

}  // namespace da::planner::rules
