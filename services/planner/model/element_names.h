// Short names for a task's UI elements: "e12" instead of a UUID, which has 36 characters and which models misspell. One
// thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/tools.pb.h"
#include "lib/base/result.h"

namespace da::planner::model {

class ElementNames {
 public:
  // Returns the same name for the same id during the lifetime of this object.
  std::string name_of(const std::string& element_id);

  // Sets the elements that are numbered in the newest image, from 1. Numbers of older images become invalid.
  void number(std::vector<std::string> marked_ids) { marked_ = std::move(marked_ids); }

  // Replaces everything that looks like an element's id by its name.
  std::string shorten(std::string_view text);

  // Replaces the name or number in a model's ui_click by the element's id; accepts ids too. kNotFound: unknown name or
  // number.
  Result<v1::Action> resolve(const v1::Action& action) const;

 private:
  std::map<std::string, std::string> names_;  // Key: id.
  std::vector<std::string> ids_;              // The first is "e1".
  std::vector<std::string> marked_;           // The first is "1".
};

}  // namespace da::planner::model
