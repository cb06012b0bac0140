// Short names for a task's UI elements: "e12" instead of a UUID, which costs a model thirty characters each time and is
// easily got wrong. One thread.
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
  // The same for the same id, as long as this object lives.
  std::string name_of(const std::string& element_id);

  // The elements that carry a number in the newest image, from 1. Numbers of older images mean nothing any more.
  void number(std::vector<std::string> marked_ids) { marked_ = std::move(marked_ids); }

  // Every id in a text that has the form of one, replaced by its name.
  std::string shorten(std::string_view text);

  // A model's call with the element's own id in it. kNotFound where no element has the name or the number that it
  // gives; an id itself is taken as it is.
  Result<v1::Action> resolve(const v1::Action& action) const;

 private:
  std::map<std::string, std::string> names_;  // By id.
  std::vector<std::string> ids_;              // "e1" is the first.
  std::vector<std::string> marked_;           // "1" is the first.
};

}  // namespace da::planner::model
