// Saves clipboard content in memory shared with the guardian: that of another application, and our own text for an
// application that has not fetched it yet.
//
// The actuator writes it before taking the clipboard; the guardian offers one of the two after the actuator has ended.
// Incomplete content is ignored, so the writer may die between any two instructions. One thread at a time.
#pragma once

#include <memory>
#include <optional>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/clipboard/selection_content.h"

namespace da::actuator::x11 {

class KeptClipboard {
 public:
  // Creates the memory; a child process may inherit descriptor().
  static Result<KeptClipboard> create();
  // Opens the memory in a process that inherited the descriptor.
  static KeptClipboard of(os::UniqueFd memory) { return KeptClipboard(std::move(memory)); }
  KeptClipboard(KeptClipboard&&) noexcept = default;
  KeptClipboard& operator=(KeptClipboard&&) = delete;

  int descriptor() const { return memory_.get(); }

  enum class Offer : std::uint32_t { kPrevious, kOurs };

  // `taken_by` is the window that takes the clipboard now. Empty content counts as nothing kept. Chooses kPrevious.
  Result<void> assign(xcb_window_t taken_by, const SelectionContent& previous, const SelectionContent& ours = {});
  // Which content read() returns from now on. No effect when nothing is kept.
  Result<void> choose(Offer offer);
  void clear();

  struct Kept {
    xcb_window_t taken_by = XCB_NONE;
    SelectionContent content;
  };
  bool empty() const;
  // nullopt when nothing is kept, or only incomplete content.
  std::optional<Kept> read() const;

 private:
  explicit KeptClipboard(os::UniqueFd memory) : memory_(std::move(memory)) {}

  os::UniqueFd memory_;
};

}  // namespace da::actuator::x11
