// The CLIPBOARD selection: reads what any application offers, offers a text of ours.
//
// Before it takes the clipboard from another application, it puts what that one held into memory that the guardian
// shares (KeptClipboard): the guardian offers it again once this process has ended.
// Owns the SelectionReader that reads and the SelectionOwner that serves. One thread at a time.
// Errors: kNotFound (the clipboard is empty or holds no text), kDeadlineExceeded (its owner does not answer),
// kUnavailable.
#pragma once

#include <memory>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/kept_clipboard.h"
#include "services/actuator/desktop/x11/selection_owner.h"
#include "services/actuator/desktop/x11/selection_reader.h"

namespace da::actuator::x11 {

class X11Clipboard final : public Clipboard {
 public:
  static Result<std::unique_ptr<X11Clipboard>> open(const std::string& display, KeptClipboard kept, const Clock& clock);

  Result<std::string> get_text(MonoTime deadline) override;
  Result<void> set_text(std::string_view text) override;
  Result<bool> wait_until_fetched(MonoTime deadline) override;

  // Whether another application's content waits for the end of this process.
  bool keeps_content() const;

 private:
  X11Clipboard(std::unique_ptr<SelectionReader> reader, std::unique_ptr<SelectionOwner> owner, KeptClipboard kept)
      : reader_(std::move(reader)), owner_(std::move(owner)), kept_(std::move(kept)) {}
  Result<void> keep_content();

  std::unique_ptr<SelectionReader> reader_;
  std::unique_ptr<SelectionOwner> owner_;
  KeptClipboard kept_;
};

}  // namespace da::actuator::x11
