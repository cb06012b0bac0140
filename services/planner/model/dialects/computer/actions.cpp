#include "services/planner/model/dialects/computer/actions.h"

#include <algorithm>

#include "lib/base/text.h"
#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

// More than any batch needs; the contract takes only the first steps.
constexpr std::size_t kMostActions = 100;

struct ActionTable {
  std::span<const ActionRow> rows;
  const char* name_key;  // The argument that names the action; null: the called function is the action.
};

ActionTable table_of(Vocabulary vocabulary) {
  switch (vocabulary) {
    case Vocabulary::kAnthropic: return {anthropic_actions(), "action"};
    case Vocabulary::kGemini: return {gemini_actions(), nullptr};
    case Vocabulary::kOpenAi: break;
  }
  return {openai_actions(), "type"};
}

Error unknown_action(const std::string& name, std::span<const ActionRow> table) {
  std::string known;
  for (const ActionRow& row : table) known += (known.empty() ? "" : ", ") + std::string(row.name);
  return {Code::kInvalidArgument,
          "the action \"" + escape_foreign(name, 60) + "\" is not possible here; known: " + known};
}

Result<OurCalls> read_action(Vocabulary vocabulary, const std::string& function, const json& action, Screen& screen) {
  if (!action.is_object()) return Error{Code::kInvalidArgument, "an action of the computer tool is not an object"};
  std::string name = function;
  const auto [rows, key] = table_of(vocabulary);
  if (key != nullptr) {
    const auto named = action.find(key);
    if (named == action.end() || !named->is_string()) {
      return Error{Code::kInvalidArgument, std::string("an action of the computer tool lacks its \"") + key + '"'};
    }
    name = named->get<std::string>();
  }
  const auto row = std::ranges::find(rows, name, &ActionRow::name);
  if (row == rows.end()) return unknown_action(name, rows);
  ActionFields fields(name, action);
  if (key != nullptr) fields.pass_over(key);
  std::string why;
  if (vocabulary == Vocabulary::kGemini) {
    why = fields.text_or("intent", "");
    fields.pass_over("safety_decision");
  }
  OurCalls calls = row->read(fields, screen);
  RETURN_IF_ERROR(fields.end());
  for (OurCall& call : calls) call.why = why;
  return calls;
}

}  // namespace

Result<OurCalls> our_calls(Vocabulary vocabulary, const ToolCall& call, Screen& screen) {
  if (!call.actions.is_array() || call.actions.empty() || call.actions.size() > kMostActions) {
    return Error{Code::kInvalidArgument,
                 "a call of the computer tool has 1 to " + std::to_string(kMostActions) + " actions"};
  }
  OurCalls calls;
  for (const json& action : call.actions) {
    ASSIGN_OR_RETURN(OurCalls more, read_action(vocabulary, call.name, action, screen));
    calls.insert(calls.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return calls;
}

}  // namespace da::planner::model
