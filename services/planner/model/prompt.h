// The words that a model is given: the constant part, and what is told it in each turn. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "services/planner/model/element_names.h"

namespace da::planner::model {

// What is drawn over the screenshots.
struct Drawn {
  bool grid = true;
  bool marks = false;
};

// services/planner/prompts/system.md with the catalogue in it, and what is drawn.
std::string system_prompt(Drawn drawn);

// What is told back to a model whose reply could not be used.
std::string repair_prompt(const std::string& error);

// computer.md and computer_repair.md: the same where the provider's own computer tool is offered.
std::string computer_prompt();
std::string computer_repair_prompt(const std::string& error);

// decision.md with the actions that are allowed; all where none is named.
std::string decision_prompt(std::span<const std::string> allowed);

// find.md, and the question for one element.
std::string find_prompt();
std::string find_question(const std::string& description);

// What became of one step since the model's last reply, in a line.
struct Happened {
  std::string step;     // "mouse x=10 y=20"
  std::string outcome;  // "carried out", "failed: ..."
};

struct Turn {
  std::string goal;
  std::uint32_t number = 1;
  std::uint32_t of = 12;
  std::vector<Happened> happened;
  std::vector<std::string> remarks;  // "6 steps were given; only the first 4 count"
  bool first = false;                // Nothing was seen before, so nothing can have changed.
  bool whole_screen = true;          // Otherwise only parts of it are shown, and places mean nothing.
};

// Places are told in pixels of the image. Foreign text is escaped and quoted.
std::string turn_text(const Turn& turn, const v1::Observation& seen);

// The elements that carry numbers in the image, a line each; empty where there are none.
std::string list_marks(const v1::Observation& seen);

// The elements that show, a line each, at most `most`; with their names for this task.
std::string list_elements(const v1::UiTree& tree, const v1::CoordinateContract& coordinates, ElementNames& names,
                          std::size_t most);

}  // namespace da::planner::model
