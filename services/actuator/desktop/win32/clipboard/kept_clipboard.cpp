#include "services/actuator/desktop/win32/clipboard/kept_clipboard.h"

#include <cstring>
#include <random>

#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

// Layout of the content: a Header; then for each item an ItemHeader and the bytes, padded to kAlignment.
struct Header {
  std::uint64_t items;
  std::uint64_t size;  // Of all.
};
struct ItemHeader {
  std::uint64_t format;
  std::uint64_t size;
};
constexpr std::size_t kAlignment = 8;

std::size_t padded(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

struct UnmapContent {
  void operator()(std::byte* view) const { ::UnmapViewOfFile(view); }
};
using ContentView = std::unique_ptr<std::byte, UnmapContent>;

ContentView view_of(HANDLE content, DWORD access) {
  return ContentView(static_cast<std::byte*>(::MapViewOfFile(content, access, 0, 0, 0)));
}

Result<UniqueKernelHandle> new_memory(std::size_t size) {
  const std::uint64_t wide = size;
  UniqueKernelHandle memory(::CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE,
                                                 static_cast<DWORD>(wide >> 32), static_cast<DWORD>(wide), nullptr));
  if (memory) return memory;
  return win32_error("create " + std::to_string(size) + " bytes of memory for the clipboard's content",
                     ::GetLastError());
}

std::size_t size_of(const ClipboardContent& content) {
  std::size_t size = sizeof(Header);
  for (const ClipboardItem& item : content.items) size += sizeof(ItemHeader) + padded(item.size);
  return size;
}

void write_content(const ClipboardContent& content, std::size_t size, std::byte* to) {
  Header header{0, size};
  std::byte* at = to + sizeof header;
  for (const ClipboardItem& item : content.items) {
    const ItemHeader item_header{item.format, item.size};
    if (!copy_item(item, {at + sizeof item_header, item.size})) continue;
    std::memcpy(at, &item_header, sizeof item_header);
    at += sizeof item_header + padded(item.size);
    ++header.items;
  }
  std::memcpy(to, &header, sizeof header);
}

void put_content(std::span<const std::byte> content) {
  Header header{};
  std::memcpy(&header, content.data(), sizeof header);
  auto rest = content.first(static_cast<std::size_t>(header.size)).subspan(sizeof header);
  for (std::uint64_t n = 0; n < header.items; ++n) {
    ItemHeader item{};
    if (rest.size() < sizeof item) return;
    std::memcpy(&item, rest.data(), sizeof item);
    rest = rest.subspan(sizeof item);
    if (item.size > rest.size()) return;
    (void)put_item(static_cast<UINT>(item.format), rest.first(static_cast<std::size_t>(item.size)));
    rest = rest.subspan(std::min(padded(static_cast<std::size_t>(item.size)), rest.size()));
  }
}

// How much of a view can be read: whole pages.
std::size_t readable(const std::byte* view) {
  MEMORY_BASIC_INFORMATION info{};
  return ::VirtualQuery(view, &info, sizeof info) == sizeof info ? info.RegionSize : 0;
}

std::uint64_t random_value() {
  std::random_device random;
  return std::uniform_int_distribution<std::uint64_t>(1)(random);
}

}  // namespace

UINT offer_format() {
  static const UINT kFormat = ::RegisterClipboardFormatW(L"DesktopAssistOffer");
  return kFormat;
}

Result<KeptClipboard> KeptClipboard::create() {
  ASSIGN_OR_RETURN(auto memory, new_memory(sizeof(Page)));
  ASSIGN_OR_RETURN(auto kept, map(std::move(memory)));
  kept.page_->offer = random_value();
  return kept;
}

// New memory is zero.
Result<KeptClipboard> KeptClipboard::map(UniqueKernelHandle memory) {
  void* view = ::MapViewOfFile(memory.get(), FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, sizeof(Page));
  if (view == nullptr) return win32_error("map memory for the clipboard's content", ::GetLastError());
  return KeptClipboard(std::move(memory), static_cast<Page*>(view));
}

HANDLE KeptClipboard::content() const {
  return content_ ? content_.get() : reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(page_->content.load()));
}

Result<void> KeptClipboard::keep(const ClipboardContent& content) {
  forget();
  if (content.items.empty()) return ok();
  const std::size_t size = size_of(content);
  ASSIGN_OR_RETURN(auto memory, new_memory(size));
  const auto view = view_of(memory.get(), FILE_MAP_WRITE);
  if (!view) return win32_error("map memory for the clipboard's content", ::GetLastError());
  write_content(content, size, view.get());
  content_ = std::move(memory);
  return ok();
}

Result<void> KeptClipboard::share() {
  if (!guardian_ || !content_) return ok();
  HANDLE copy = nullptr;
  if (!::DuplicateHandle(::GetCurrentProcess(), content_.get(), guardian_.get(), &copy, FILE_MAP_READ, FALSE, 0)) {
    return win32_error("share the clipboard's content with the guardian", ::GetLastError());
  }
  page_->content = reinterpret_cast<std::uintptr_t>(copy);
  return ok();
}

void KeptClipboard::unshare() {
  const auto copy = reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(page_->content.exchange(0)));
  if (copy == nullptr || !guardian_) return;
  HANDLE own = nullptr;
  if (::DuplicateHandle(guardian_.get(), copy, ::GetCurrentProcess(), &own, 0, FALSE,
                        DUPLICATE_CLOSE_SOURCE | DUPLICATE_SAME_ACCESS)) {
    ::CloseHandle(own);
  }
}

void KeptClipboard::forget() {
  page_->stage = kNothing;
  unshare();
  content_.reset();
}

bool KeptClipboard::mark_offer() const {
  const std::uint64_t offer = page_->offer;
  return put_item(offer_format(), std::as_bytes(std::span(&offer, 1)));
}

bool KeptClipboard::offer_is_there() const {
  if (!::IsClipboardFormatAvailable(offer_format())) return false;
  const HANDLE data = ::GetClipboardData(offer_format());
  std::uint64_t offer = 0;
  return data != nullptr && ::GlobalSize(data) >= sizeof offer &&
         copy_item({offer_format(), data, sizeof offer}, std::as_writable_bytes(std::span(&offer, 1))) &&
         offer == page_->offer;
}

bool KeptClipboard::is_still_of(DWORD actuator) const {
  if (page_->stage == kNothing) return false;
  DWORD owner = 0;
  ::GetWindowThreadProcessId(::GetClipboardOwner(), &owner);
  if (owner != 0 && owner != actuator) return false;
  // Killed after it had emptied the clipboard and before it marked its offer, or in the middle of putting back.
  if (page_->stage == kExchanging && ::CountClipboardFormats() == 0) return true;
  return offer_is_there();
}

void KeptClipboard::put_back() const {
  if (!::EmptyClipboard() || content() == nullptr) return;
  const auto view = view_of(content(), FILE_MAP_READ);
  if (!view) return;
  const std::span<const std::byte> bytes(view.get(), readable(view.get()));
  Header header{};
  if (bytes.size() < sizeof header) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.size < sizeof header || header.size > bytes.size()) return;
  put_content(bytes);
}

}  // namespace da::actuator::win32
