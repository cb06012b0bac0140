#include "services/console/stdio/command_answer.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lib/base/text.h"
#include "lib/contract/repetition.h"
#include "services/console/base64.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using Json = nlohmann::ordered_json;
using Answer = v1::CommandAnswer;

// "RESULT_STALE_TARGET" without "RESULT_": "stale_target".
std::string word_of(const std::string& name, std::string_view prefix) {
  return fold_case(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

bool is_carried_out(Answer::Result result) {
  return result == Answer::RESULT_DISPATCHED || result == Answer::RESULT_CONFIRMED;
}

std::string outcome_word(Answer::Result result) {
  if (result == Answer::RESULT_UNSPECIFIED || !Answer::Result_IsValid(result)) result = Answer::RESULT_UNKNOWN;
  return word_of(Answer::Result_Name(result), "RESULT_");
}

Json bounds_json(const v1::Rect& bounds) {
  return {{"x", bounds.x()}, {"y", bounds.y()}, {"width", bounds.width()}, {"height", bounds.height()}};
}

Json element_fields(const v1::UiNode& node) {
  Json json = {{"element_id", node.element_id()}, {"role", node.role()}, {"name", node.name()}};
  if (!node.text().empty()) json["text"] = node.text();
  json["states"] = Json::array();
  for (const int state : node.states()) {
    if (v1::UiState_IsValid(state)) {
      json["states"].push_back(word_of(v1::UiState_Name(static_cast<v1::UiState>(state)), "UI_STATE_"));
    }
  }
  json["bounds"] = bounds_json(node.bounds());
  return json;
}

// The trees of each window, by its id. An element whose parent does not come before it begins a tree.
std::map<std::string, Json> trees_of(const v1::UiTree& elements) {
  const auto count = static_cast<std::size_t>(elements.nodes_size());
  std::map<std::string, std::size_t> index_of;
  std::vector<std::vector<std::size_t>> children(count);
  std::vector<int> depth(count, 0);
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < count; ++i) {
    const v1::UiNode& node = elements.nodes(static_cast<int>(i));
    const auto parent = index_of.find(node.parent_id());
    if (parent == index_of.end() || depth[parent->second] >= kMaxElementDepth) {
      roots.push_back(i);
    } else {
      depth[i] = depth[parent->second] + 1;
      children[parent->second].push_back(i);
    }
    index_of.emplace(node.element_id(), i);
  }
  std::vector<Json> made(count);
  for (std::size_t i = count; i-- > 0;) {
    made[i] = element_fields(elements.nodes(static_cast<int>(i)));
    for (const std::size_t child : children[i]) made[i]["children"].push_back(std::move(made[child]));
  }
  std::map<std::string, Json> trees;
  for (const std::size_t root : roots) {
    trees[elements.nodes(static_cast<int>(root)).window_id()].push_back(std::move(made[root]));
  }
  return trees;
}

Json window_json(const v1::Window& window) {
  return {{"window_id", window.window_id()},       {"title", window.title()},
          {"program", window.executable()},        {"pid", window.pid()},
          {"focused", window.focused()},           {"minimized", window.minimized()},
          {"bounds", bounds_json(window.bounds())}};
}

Json windows_json(const Answer& answer) {
  std::map<std::string, Json> trees = trees_of(answer.elements());
  Json windows = Json::array();
  for (const v1::Window& window : answer.windows()) {
    Json json = window_json(window);
    if (answer.has_elements()) {
      const auto tree = trees.extract(window.window_id());
      json["elements"] = tree.empty() ? Json::array() : tree.mapped();
    }
    windows.push_back(std::move(json));
  }
  // Elements of windows that have just opened or closed.
  for (auto& [window_id, tree] : trees) windows.push_back({{"window_id", window_id}, {"elements", std::move(tree)}});
  return windows;
}

Json data_json(const Answer& answer, Windows windows) {
  Json data = {{"outcome", outcome_word(answer.result())}};
  if (answer.code() != v1::Outcome::CODE_UNSPECIFIED && v1::Outcome::Code_IsValid(answer.code())) {
    data["code"] = word_of(v1::Outcome::Code_Name(answer.code()), "CODE_");
  }
  if (!is_carried_out(answer.result())) data["repeat"] = contract::word_of(contract::repetition_of(answer));
  const bool asked_for_windows = windows == Windows::kAlways && is_carried_out(answer.result());
  const bool has_windows = answer.has_elements() || !answer.windows().empty() || asked_for_windows;
  if (has_windows) data["windows"] = windows_json(answer);
  if (answer.has_elements()) {
    data["truncated"] = answer.elements().truncated();
    if (!answer.elements().note().empty()) data["note"] = answer.elements().note();
  }
  if (answer.has_image()) {
    data["image"] = {{"media_type", answer.image().media_type()}, {"base64", base64(answer.image().data())}};
  }
  if (is_carried_out(answer.result()) && !answer.message().empty()) data["message"] = answer.message();
  return data;
}

}  // namespace

std::string answer_line(const std::string& request_id, const Answer& answer, Windows windows) {
  const bool done = is_carried_out(answer.result());
  Json json = {{"request_id", request_id}, {"status", done ? "success" : "fail"}, {"data", data_json(answer, windows)}};
  json["error"] = done ? Json() : Json(answer.message());
  return ordered_json_line(json);
}

Answer answer_of(Answer::Result result, std::string message) {
  Answer answer;
  answer.set_result(result);
  answer.set_message(std::move(message));
  return answer;
}

}  // namespace da::console
