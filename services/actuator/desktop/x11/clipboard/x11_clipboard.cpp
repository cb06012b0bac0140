#include "services/actuator/desktop/x11/clipboard/x11_clipboard.h"

#include <spdlog/spdlog.h>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kServerAnswers{5'000};
// Limits the delay of a paste by an owner that does not answer or has much content.
constexpr Milliseconds kOwnerTells{2'000};
// Programs that take the clipboard over do it once for each content.
constexpr int kMostTakenBack = 3;

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
  ASSIGN_OR_RETURN(const auto owners, WindowOwners::open(reader->connection()));
  return std::unique_ptr<X11Clipboard>(new X11Clipboard(std::move(reader), std::move(owner), owners, std::move(kept)));
}

// Content that we offer ourselves is not saved: the content that it replaced is saved already.
Result<void> X11Clipboard::read_previous() {
  ASSIGN_OR_RETURN(const xcb_window_t before, reader_->owner());
  if (before == owner_->window()) return ok();
  previous_.clear();
  kept_.clear();
  if (before == XCB_NONE) return ok();
  ASSIGN_OR_RETURN(previous_, reader_->read_all(reader_->connection().clock().now() + kOwnerTells));
  return ok();
}

Result<void> X11Clipboard::offer() {
  return owner_->offer(text_content(text_, reader_->atoms()), reader_->connection().clock().now() + kServerAnswers);
}

Result<void> X11Clipboard::set_text(std::string_view text) {
  auto kept = read_previous();
  text_ = text;
  target_.reset();
  taken_back_ = 0;
  if (kept && !previous_.empty()) {
    kept = kept_.assign(owner_->window(), previous_, text_content(text_, reader_->atoms()));
  }
  if (!kept) {
    RETURN_IF_ERROR(reader_->connection().alive());
    spdlog::warn("the previous content of the clipboard will not be restored: {}", kept.error().message);
  }
  return offer();
}

Result<void> X11Clipboard::expect_paste() {
  ASSIGN_OR_RETURN(target_, PasteTarget::with_focus(reader_->connection(), owners_));
  RETURN_IF_ERROR(kept_.choose(KeptClipboard::Offer::kOurs));
  owner_->count_only(*target_);
  return ok();
}

// False when the clipboard has other content by now.
Result<bool> X11Clipboard::take_back() {
  const MonoTime deadline = reader_->connection().clock().now() + kOwnerTells;
  if (++taken_back_ > kMostTakenBack) return false;
  const auto now = reader_->convert(reader_->atoms().utf8_string, deadline);
  if (!now || !*now || *(*now)->bytes != text_) return false;
  RETURN_IF_ERROR(offer());
  if (target_) owner_->count_only(*target_);
  return true;
}

Result<bool> X11Clipboard::wait_until_fetched(MonoTime deadline) {
  for (;;) {
    RETURN_IF_ERROR(reader_->connection().alive());
    if (owner_->wait_until_fetched(deadline)) {
      RETURN_IF_ERROR(kept_.choose(KeptClipboard::Offer::kPrevious));
      return true;
    }
    if (!owner_->replaced()) return false;
    ASSIGN_OR_RETURN(const bool taken_back, take_back());
    if (!taken_back) return false;
  }
}

bool X11Clipboard::keeps_content() const {
  const auto owner = reader_->owner();
  return owner && *owner == owner_->window() && !kept_.empty();
}

}  // namespace da::actuator::x11
