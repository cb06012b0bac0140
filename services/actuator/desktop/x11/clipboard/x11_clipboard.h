// The CLIPBOARD selection: reads text that any application offers, and offers text of ours.
//
// Before taking the clipboard from another application, it saves that application's content in memory shared with the
// guardian (KeptClipboard), which offers it again once this process has ended. Between expect_paste() and the fetch,
// the guardian would offer our text instead: an application that is busy may fetch it later. A program that takes the
// clipboard over with the same text, as some clipboard managers do, loses it again. Owns a SelectionReader and a
// SelectionOwner. One thread at a time. Errors: kNotFound (empty, or no text), kDeadlineExceeded (its owner does not
// answer), kUnavailable.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "services/actuator/desktop/roles/clipboard.h"
#include "services/actuator/desktop/x11/clipboard/kept_clipboard.h"
#include "services/actuator/desktop/x11/clipboard/selection_owner.h"
#include "services/actuator/desktop/x11/clipboard/selection_reader.h"

namespace da::actuator::x11 {

class X11Clipboard final : public Clipboard {
 public:
  static Result<std::unique_ptr<X11Clipboard>> open(const std::string& display, KeptClipboard kept, const Clock& clock);

  Result<void> set_text(std::string_view text) override;
  Result<void> expect_paste() override;
  Result<bool> wait_until_fetched(MonoTime deadline) override;

  // Whether another application's content is saved, to be offered again after this process ends.
  bool keeps_content() const;

 private:
  X11Clipboard(std::unique_ptr<SelectionReader> reader, std::unique_ptr<SelectionOwner> owner, WindowOwners owners,
               KeptClipboard kept)
      : reader_(std::move(reader)), owner_(std::move(owner)), owners_(owners), kept_(std::move(kept)) {}
  Result<void> read_previous();
  Result<void> offer();
  Result<bool> take_back();

  std::unique_ptr<SelectionReader> reader_;
  std::unique_ptr<SelectionOwner> owner_;
  WindowOwners owners_;
  KeptClipboard kept_;
  SelectionContent previous_;  // Content that the clipboard had before; empty: none, or it is unknown.
  std::string text_;           // Text of the last offer.
  std::optional<PasteTarget> target_;
  int taken_back_ = 0;
};

}  // namespace da::actuator::x11
