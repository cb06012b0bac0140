// The CLIPBOARD selection: reads text that any application offers, and offers text of ours.
//
// Before taking the clipboard from another application, it saves that application's content in memory shared with the
// guardian (KeptClipboard), which offers it again once this process has ended. Owns a SelectionReader and a
// SelectionOwner. One thread at a time. Errors: kNotFound (empty, or no text), kDeadlineExceeded (its owner does not
// answer), kUnavailable.
#pragma once

#include <memory>

#include "services/actuator/desktop/roles/clipboard.h"
#include "services/actuator/desktop/x11/clipboard/kept_clipboard.h"
#include "services/actuator/desktop/x11/clipboard/selection_owner.h"
#include "services/actuator/desktop/x11/clipboard/selection_reader.h"

namespace da::actuator::x11 {

class X11Clipboard final : public Clipboard {
 public:
  static Result<std::unique_ptr<X11Clipboard>> open(const std::string& display, KeptClipboard kept, const Clock& clock);

  Result<void> set_text(std::string_view text) override;
  Result<bool> wait_until_fetched(MonoTime deadline) override;

  // Whether another application's content is saved, to be offered again after this process ends.
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
