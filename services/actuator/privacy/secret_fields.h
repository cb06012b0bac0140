// The elements that a secret was typed into. They must not be seen or read while they may still contain it.
//
// A field is remembered until it is gone together with its window. While another task is active than the one that
// filled it, it is free as long as it is seen to be empty: undo may bring the secret back. The end of a task alone does
// not count: a planner could begin another task to look. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/masked_area.h"

namespace da::actuator {

class SecretFields {
 public:
  // Call it before typing the first character. `secrets`: the names of those that are typed. kResourceExhausted: too
  // many fields are remembered.
  Result<void> add(const Element& element, const WindowInfo& window, const std::set<std::string>& secrets = {});

  bool empty() const { return fields_.empty(); }
  bool contains(const ElementHandle& element) const;
  // The same, but false if the field is free.
  bool may_hold_secret(const ElementHandle& element) const;
  // True if a field that may hold a secret is no password field: its text can be copied.
  bool any_copyable() const;
  // The names of the secrets that this program was given. It may show them elsewhere.
  std::set<std::string> given_to(std::uint32_t pid) const;
  // Those that any program was given.
  std::set<std::string> given() const;

  // Makes `task_id` the active task.
  void enter_task(const std::string& task_id);

  // The fields' areas on the screen. A field that is gone keeps its last place in its window. A field that does not
  // answer, whose place is unknown, or whose window moves during each read, yields its whole window.
  Result<std::vector<AnchoredArea>> locate(Desktop& desktop, const Clock& clock);

 private:
  void note_given(const WindowInfo& window, const std::set<std::string>& secrets);

  struct Field {
    ElementHandle handle;
    std::string window_id;
    std::uint32_t pid = 0;
    // Its bounds as last seen, relative to its window's origin; nullopt: its place was unknown, anywhere in the window.
    std::optional<Rect> in_window;
    bool password = false;
    bool text_was_read = false;  // A non-empty text was read, so that an empty one can be trusted.
    bool is_free = false;        // It was last seen empty, in another task than `task_id`.
    bool over = false;           // Nothing is left to hide.
    std::string task_id;         // The task that typed into it last.
  };

  // nullopt if the window moved meanwhile.
  Result<std::optional<std::vector<AnchoredArea>>> look(Desktop& desktop, const Clock& clock, Field& field);

  struct Given {
    std::uint64_t process_start = 0;
    std::set<std::string> secrets;
  };

  std::string task_id_;
  std::vector<Field> fields_;
  std::map<std::uint32_t, Given> given_;  // Keyed by pid. A process may still have a secret when the field is gone.
};

}  // namespace da::actuator
