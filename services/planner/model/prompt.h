// The text for a model: the constant prompts and the text of each turn. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "services/planner/model/element_names.h"

namespace da::planner::model {

// The overlay of the screenshots.
struct Drawn {
  bool grid = true;
  bool marks = false;
};

// services/planner/prompts/system.md with the tool catalogue and a description of the overlay.
std::string system_prompt(Drawn drawn);

// Tells a model why its reply could not be used.
std::string repair_prompt(const std::string& error);

// computer.md and computer_repair.md: the prompts for the provider's own computer tool.
std::string computer_prompt();
std::string computer_repair_prompt(const std::string& error);

// decision.md with the allowed actions; an empty list allows all.
std::string decision_prompt(std::span<const std::string> allowed);

// find.md, and the question for one element.
std::string find_prompt();
std::string find_question(const std::string& description);

// question.md: the prompt for a profile's question about a picture of this size.
std::string question_prompt(std::uint32_t width, std::uint32_t height);

// The outcome of one step since the model's last reply.
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
  bool first = false;                // The first turn has no previous observation, so nothing can have changed.
  bool whole_screen = true;          // False: only regions are shown, so the text names no places.
};

// Places are in pixels of the image. Foreign text is escaped and quoted.
std::string turn_text(const Turn& turn, const v1::Observation& seen);

// The elements with numbers in the image, one line each; empty if there are none.
std::string list_marks(const v1::Observation& seen);

// At most `most` of the visible elements, one line each, with their names for this task.
std::string list_elements(const v1::UiTree& tree, const v1::CoordinateContract& coordinates, ElementNames& names,
                          std::size_t most);

}  // namespace da::planner::model
