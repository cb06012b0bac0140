// The elements that a secret was typed into: what must not be seen or read back as long as the value may stand there.
//
// A field is remembered until it is gone together with its window, or until another task is at work and the field was
// seen to be empty. A task's own word that it is over counts for nothing: a planner could begin another one to look.
// Not thread-safe: the desktop's lock guards it.
#pragma once

#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/masked_area.h"

namespace da::actuator {

class SecretFields {
 public:
  // Before the first character is typed. kResourceExhausted where too many are remembered.
  Result<void> add(const Element& element, const WindowInfo& window);

  bool empty() const { return fields_.empty(); }
  bool holds(const ElementHandle& element) const;
  // An ordinary field is among them, whose content the application copies as any other text.
  bool any_copyable() const;
  // Programs that were given a secret; they may show it elsewhere.
  bool given_to(std::uint32_t pid) const;

  // The actuator works for this task from now on.
  void enter_task(const std::string& task_id);

  // Where they are on the screen, each with its window. One that is gone is where it was last, within its window; one
  // that does not answer, or whose window moves at each look, makes its whole window count.
  Result<std::vector<AnchoredArea>> locate(Desktop& desktop, const Clock& clock);

 private:
  struct Field {
    ElementHandle handle;
    std::string window_id;
    std::uint32_t pid = 0;
    Rect in_window;  // Its bounds as last seen, relative to its window's origin.
    bool password = false;
    bool text_is_told = false;  // Its text has been seen, so that an empty one means something.
    bool over = false;          // Nothing is left to hide.
    std::string task_id;        // That typed into it last.
  };

  // nullopt where the window moved meanwhile.
  Result<std::optional<std::vector<AnchoredArea>>> look(Desktop& desktop, const Clock& clock, Field& field);

  std::string task_id_;
  std::vector<Field> fields_;
};

}  // namespace da::actuator
