#include "services/actuator/desktop/x11/clipboard/x11_clipboard.h"

#include <spdlog/spdlog.h>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kServerAnswers{5'000};
// Limits the delay of a paste by an owner that does not answer or has much content.
constexpr Milliseconds kOwnerTells{2'000};

// STRING is Latin-1: other characters become '?'.
std::string latin1_of(std::string_view utf8) {
  std::string out;
  for (const char32_t c : decode_utf8(utf8).value_or(std::u32string())) out += c <= 0xff ? static_cast<char>(c) : '?';
  return out;
}

SelectionContent text_content(std::string_view text, const SelectionAtoms& atoms) {
  const auto utf8 = selection_bytes(std::string(text));
  const auto latin1 = selection_bytes(latin1_of(text));
  return {{atoms.utf8_string, atoms.utf8_string, 8, utf8},
          {atoms.text_plain_utf8, atoms.text_plain_utf8, 8, utf8},
          {atoms.text_plain, atoms.text_plain, 8, utf8},
          {atoms.text, atoms.utf8_string, 8, utf8},
          {XCB_ATOM_STRING, XCB_ATOM_STRING, 8, latin1}};
}

}  // namespace

Result<std::unique_ptr<X11Clipboard>> X11Clipboard::open(const std::string& display, KeptClipboard kept,
                                                         const Clock& clock) {
  ASSIGN_OR_RETURN(auto reader, SelectionReader::open(display, clock));
  ASSIGN_OR_RETURN(auto owner, SelectionOwner::open(display, clock));
  owner->ignore_requestor(reader->window());
  return std::unique_ptr<X11Clipboard>(new X11Clipboard(std::move(reader), std::move(owner), std::move(kept)));
}

// Content that we offer ourselves is not saved: the content that it replaced is saved already.
Result<void> X11Clipboard::keep_content() {
  ASSIGN_OR_RETURN(const xcb_window_t before, reader_->owner());
  if (before == owner_->window()) return ok();
  kept_.clear();
  if (before == XCB_NONE) return ok();
  ASSIGN_OR_RETURN(const auto content, reader_->read_all(reader_->connection().clock().now() + kOwnerTells));
  return kept_.assign(owner_->window(), content);
}

Result<void> X11Clipboard::set_text(std::string_view text) {
  if (const auto kept = keep_content(); !kept) {
    RETURN_IF_ERROR(reader_->connection().alive());
    spdlog::warn("the previous content of the clipboard will not be restored: {}", kept.error().message);
  }
  return owner_->offer(text_content(text, reader_->atoms()), reader_->connection().clock().now() + kServerAnswers);
}

Result<bool> X11Clipboard::wait_until_fetched(MonoTime deadline) {
  RETURN_IF_ERROR(reader_->connection().alive());
  return owner_->wait_until_fetched(deadline);
}

bool X11Clipboard::keeps_content() const {
  const auto owner = reader_->owner();
  return owner && *owner == owner_->window() && !kept_.empty();
}

}  // namespace da::actuator::x11
