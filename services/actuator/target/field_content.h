// Replaces the content of the focused single-line field in two steps, and proves both, as far as the application tells:
// ctrl+a selects all of the content, and a text that is then typed is all that the field has. A password field is
// compared by its length. Runs under the desktop's lock.
#pragma once

#include <string_view>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

bool is_single_line_field(const Element& element);

enum class Proof {
  kHolds,
  kContradicted,
  kUnknown,  // The application does not tell, or the field is gone.
};

// Presses ctrl+a. If that did not select the content, because the control does not know the chord: selects it through
// the elements, else by home and shift+end. Errors: those of the checkpoint and of the input.
Result<Proof> select_field_content(Desktop& desktop, const Element& field, const Checkpoint& checkpoint,
                                   const Clock& clock);

// Whether a typed text will replace all of the field's content: it is selected, or there is none.
Proof is_content_selected(Desktop& desktop, const Element& field, const Clock& clock);

// Waits until the typed text is all of the content. Removes a completion that the application has added and selected.
Result<Proof> await_typed_content(Desktop& desktop, const Element& field, std::u32string_view typed,
                                  const Checkpoint& checkpoint, const Clock& clock);

}  // namespace da::actuator
