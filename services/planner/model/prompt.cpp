#include "services/planner/model/prompt.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/describe.h"
#include "lib/contract/place_text.h"
#include "services/planner/model/prompt_files.h"
#include "services/planner/task/task_view.h"
#include "services/planner/tools/ui_text.h"

namespace da::planner::model {
namespace {

constexpr int kMostWindows = 12;

std::string filled(std::string_view text, std::string_view place, std::string_view with) {
  std::string whole(text);
  const auto at = whole.find(place);
  return at == std::string::npos ? whole : whole.replace(at, place.size(), with);
}

std::string xy(std::int64_t x, std::int64_t y) { return std::to_string(x) + "," + std::to_string(y); }

std::string center_text(const v1::CoordinateContract& coordinates, const v1::Rect& bounds) {
  return " " + contract::place_text(coordinates, contract::from_proto(center_of(bounds)));
}

std::string area_text(const v1::CoordinateContract& coordinates, const v1::Rect& changed) {
  const auto from = contract::map_to_image(coordinates, {changed.x(), changed.y()});
  const auto to = contract::map_to_image(coordinates, {changed.x() + static_cast<std::int32_t>(changed.width()) - 1,
                                                       changed.y() + static_cast<std::int32_t>(changed.height()) - 1});
  return from && to ? " between " + xy(from->x, from->y) + " and " + xy(to->x, to->y) : "";
}

std::string windows_text(const v1::Observation& seen, bool whole_screen) {
  std::string text = "Windows, front to back:\n";
  for (int i = 0; i < std::min(seen.windows_size(), kMostWindows); ++i) {
    const v1::Window& window = seen.windows(i);
    text += "- " + quote_foreign(window.title()) + (window.focused() ? ", has the focus" : "") +
            (window.minimized() ? ", minimised"
             : whole_screen     ? center_text(seen.coordinates(), window.bounds())
                                : "") +
            "\n";
  }
  if (seen.windows_size() == 0) text += "- none\n";
  return text;
}

}  // namespace

std::string system_prompt(Drawn drawn) {
  std::vector<std::string_view> parts;
  if (drawn.grid) parts.emplace_back(trim(kDrawnGridPrompt));
  if (drawn.marks) parts.emplace_back(trim(kDrawnMarksPrompt));
  if (parts.empty()) parts.emplace_back(trim(kDrawnNothingPrompt));
  std::string said;
  for (const std::string_view part : parts) said += (said.empty() ? "" : " ") + std::string(part);
  return filled(filled(kSystemPrompt, "[[drawn]]", said), "[[tools]]", contract::tool_list());
}

std::string repair_prompt(const std::string& error) { return filled(kRepairPrompt, "[[error]]", error); }

std::string computer_prompt() { return kComputerPrompt; }

std::string computer_repair_prompt(const std::string& error) {
  return filled(kComputerRepairPrompt, "[[error]]", error);
}

std::string decision_prompt(std::span<const std::string> allowed) {
  return filled(kDecisionPrompt, "[[actions]]", contract::suggestion_list(allowed));
}

std::string find_prompt() { return kFindPrompt; }

std::string find_question(const std::string& description) {
  return "Where is this element? " + quote_foreign(description, 500) + "\n";
}

std::string question_prompt(std::uint32_t width, std::uint32_t height) {
  return filled(kQuestionPrompt, "[[size]]", std::to_string(width) + "x" + std::to_string(height));
}

std::string turn_text(const Turn& turn, const v1::Observation& seen) {
  std::string text = "Turn " + std::to_string(turn.number) + " of " + std::to_string(turn.of) + ".\n";
  if (turn.first) text += "The goal is: " + turn.goal + "\n";
  for (const std::string& remark : turn.remarks) text += remark + "\n";
  if (!turn.happened.empty()) text += "What became of your steps:\n";
  for (std::size_t i = 0; i < turn.happened.size(); ++i) {
    text += std::to_string(i + 1) + ". " + turn.happened[i].step + ": " + turn.happened[i].outcome + "\n";
  }
  if (!turn.first && seen.changed_tiles() == 0) text += "Nothing on the screen has changed.\n";
  if (!turn.first && seen.changed_tiles() > 0) {
    const std::string where = turn.whole_screen ? area_text(seen.coordinates(), seen.changed_area()) : "";
    text += "The screen has changed" + where + ".\n";
  }
  if (!seen.settled()) text += "It is still changing.\n";
  if (seen.cursor_shape() == v1::CURSOR_SHAPE_BUSY) {
    text += "The application under the mouse cursor shows that it is busy.\n";
  }
  text += windows_text(seen, turn.whole_screen);
  if (!seen.has_focused_window()) text += "No window has the focus.\n";
  if (!turn.whole_screen) return text;
  const auto cursor = contract::map_to_image(seen.coordinates(), {seen.cursor().x(), seen.cursor().y()});
  if (cursor) text += "The mouse cursor is " + contract::place_text(*cursor) + ".\n";
  text += "The screenshot has " + std::to_string(seen.coordinates().image_width()) + "x" +
          std::to_string(seen.coordinates().image_height()) + " pixels.\n";
  return text;
}

std::string list_marks(const v1::Observation& seen) {
  if (seen.marked().empty()) return {};
  std::string text = "Numbers in the screenshot mark elements; a number may stand where an element_id is asked for:\n";
  for (int i = 0; i < seen.marked_size(); ++i) {
    const v1::UiNode& node = seen.marked(i);
    text += std::to_string(i + 1) + " " + escape_foreign(node.role(), 40) + " " + quote_foreign(trim(node.name()), 80) +
            "\n";
  }
  return text;
}

std::string list_elements(const v1::UiTree& tree, const v1::CoordinateContract& coordinates, ElementNames& names,
                          std::size_t most) {
  std::string text;
  std::size_t listed = 0;
  for (const v1::UiNode& node : tree.nodes()) {
    if (!is_telling(node)) continue;
    if (++listed > most) break;
    text += names.shorten(element_line(node)) + center_text(coordinates, node.bounds()) + "\n";
  }
  if (listed > most) text += "... and more; ask ui_find\n";
  if (listed == 0)
    text += "(no elements" + (tree.note().empty() ? "" : ": " + escape_foreign(tree.note(), 200)) + ")\n";
  return text;
}

}  // namespace da::planner::model
