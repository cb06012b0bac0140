#include "services/actuator/desktop/x11/clipboard/kept_clipboard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace da::actuator::x11 {
namespace {

// Layout: a Header; then for each item, the previous ones first, an ItemHeader and the bytes.
struct Header {
  std::uint32_t previous = 0;  // Items. 0: nothing is kept. Header is written last.
  std::uint32_t ours = 0;
  xcb_window_t taken_by = XCB_NONE;
  KeptClipboard::Offer offer = KeptClipboard::Offer::kPrevious;
};
struct ItemHeader {
  xcb_atom_t target, type;
  std::uint64_t format, size;
};

Result<void> write_at(int memory, std::uint64_t& at, const void* data, std::size_t size) {
  for (std::size_t written = 0; written < size;) {
    const auto some =
        ::pwrite(memory, static_cast<const char*>(data) + written, size - written, static_cast<off_t>(at + written));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return posix_error("save the clipboard's content", errno);
    written += static_cast<std::size_t>(some);
  }
  at += size;
  return ok();
}

bool read_at(int memory, std::uint64_t& at, void* data, std::size_t size) {
  for (std::size_t had = 0; had < size;) {
    const auto some = ::pread(memory, static_cast<char*>(data) + had, size - had, static_cast<off_t>(at + had));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    had += static_cast<std::size_t>(some);
  }
  at += size;
  return true;
}

std::optional<SelectionItem> read_item(int memory, std::uint64_t& at, std::uint64_t end) {
  ItemHeader header{};
  if (!read_at(memory, at, &header, sizeof(header)) || header.size > end - std::min(at, end)) return std::nullopt;
  if (header.format != 8 && header.format != 16 && header.format != 32) return std::nullopt;
  std::string bytes(header.size, '\0');
  if (!read_at(memory, at, bytes.data(), bytes.size())) return std::nullopt;
  return SelectionItem{header.target, header.type, static_cast<std::uint8_t>(header.format),
                       selection_bytes(std::move(bytes))};
}

}  // namespace

Result<KeptClipboard> KeptClipboard::create() {
  os::UniqueFd memory(::memfd_create("kept-clipboard", MFD_CLOEXEC));
  if (!memory) return posix_error("create memory for the clipboard's content", errno);
  return KeptClipboard(std::move(memory));
}

// Returns the pages to the kernel, which zeroes pages before reuse.
void KeptClipboard::clear() { static_cast<void>(::ftruncate(memory_.get(), 0)); }

Result<void> KeptClipboard::assign(xcb_window_t taken_by, const SelectionContent& previous,
                                   const SelectionContent& ours) {
  clear();
  std::uint64_t at = sizeof(Header);
  for (const SelectionContent* content : {&previous, &ours}) {
    for (const SelectionItem& item : *content) {
      const ItemHeader header{item.target, item.type, item.format, item.bytes->size()};
      RETURN_IF_ERROR(write_at(memory_.get(), at, &header, sizeof(header)));
      RETURN_IF_ERROR(write_at(memory_.get(), at, item.bytes->data(), item.bytes->size()));
    }
  }
  const Header header{static_cast<std::uint32_t>(previous.size()), static_cast<std::uint32_t>(ours.size()), taken_by,
                      Offer::kPrevious};
  std::uint64_t start = 0;
  return write_at(memory_.get(), start, &header, sizeof(header));
}

Result<void> KeptClipboard::choose(Offer offer) {
  if (empty()) return ok();
  std::uint64_t at = offsetof(Header, offer);
  return write_at(memory_.get(), at, &offer, sizeof(offer));
}

bool KeptClipboard::empty() const {
  Header header;
  std::uint64_t at = 0;
  return !read_at(memory_.get(), at, &header, sizeof(header)) || header.previous == 0;
}

std::optional<KeptClipboard::Kept> KeptClipboard::read() const {
  Header header;
  std::uint64_t at = 0;
  if (!read_at(memory_.get(), at, &header, sizeof(header)) || header.previous == 0) return std::nullopt;
  const off_t end = ::lseek(memory_.get(), 0, SEEK_END);
  if (end < 0) return std::nullopt;
  const bool ours = header.offer == Offer::kOurs;
  Kept kept{header.taken_by, {}};
  for (std::uint64_t n = 0; n < std::uint64_t{header.previous} + (ours ? header.ours : 0); ++n) {
    auto item = read_item(memory_.get(), at, static_cast<std::uint64_t>(end));
    if (!item) return std::nullopt;
    const bool chosen = ours == (n >= header.previous);
    if (chosen) kept.content.push_back(std::move(*item));
  }
  return kept.content.empty() ? std::nullopt : std::optional(std::move(kept));
}

}  // namespace da::actuator::x11
