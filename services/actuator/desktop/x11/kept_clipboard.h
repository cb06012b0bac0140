// What an application held on the clipboard before this process took it, in memory that its guardian shares: whoever
// outlives the other reads it.
//
// The actuator writes, before it takes the clipboard; the guardian reads when the writer has ended. A content counts
// once it is whole, so the writer may die between any two instructions. One thread at a time.
#pragma once

#include <memory>
#include <optional>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/selection_content.h"

namespace da::actuator::x11 {

class KeptClipboard {
 public:
  // Memory of its own, known by a descriptor that a child process may inherit.
  static Result<KeptClipboard> create();
  // What create() made, in the process that inherited the descriptor.
  static KeptClipboard of(os::UniqueFd memory) { return KeptClipboard(std::move(memory)); }
  KeptClipboard(KeptClipboard&&) noexcept = default;
  KeptClipboard& operator=(KeptClipboard&&) = delete;

  int descriptor() const { return memory_.get(); }

  // The window is the one that takes the clipboard now. A content of nothing is not kept.
  Result<void> assign(xcb_window_t taken_by, const SelectionContent& content);
  // Forgets it.
  void clear();

  struct Kept {
    xcb_window_t taken_by = XCB_NONE;
    SelectionContent content;
  };
  bool empty() const;
  // nullopt where there is none, or none that is whole.
  std::optional<Kept> read() const;

 private:
  explicit KeptClipboard(os::UniqueFd memory) : memory_(std::move(memory)) {}

  os::UniqueFd memory_;
};

}  // namespace da::actuator::x11
