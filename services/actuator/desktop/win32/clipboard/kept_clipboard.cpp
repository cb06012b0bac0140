#include "services/actuator/desktop/win32/clipboard/kept_clipboard.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "lib/os/fault_point/fault_point.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

// Layout of the content: a Header; then for each item an ItemHeader and the bytes, padded to kAlignment.
struct Header {
  std::uint64_t items;
  std::uint64_t size;  // Bytes of the whole content, this header included.
};
struct ItemHeader {
  std::uint64_t format;
  std::uint64_t size;
};
constexpr std::size_t kAlignment = 8;
constexpr Milliseconds kReadTime{30'000};

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

// How much of a view can be read: whole pages.
std::size_t readable(const std::byte* view) {
  MEMORY_BASIC_INFORMATION info{};
  return ::VirtualQuery(view, &info, sizeof info) == sizeof info ? info.RegionSize : 0;
}

struct KeptItem {
  UINT format = 0;
  std::span<const std::byte> bytes;
};

struct KeptContent {
  ContentView view;
  std::vector<KeptItem> items;  // Point into `view`.
};

// The content in this memory. It has no items if the memory is null or damaged.
KeptContent read_content(HANDLE memory) {
  KeptContent content;
  if (memory == nullptr) return content;
  content.view = view_of(memory, FILE_MAP_READ);
  if (!content.view) return content;
  std::span<const std::byte> rest(content.view.get(), readable(content.view.get()));
  Header header{};
  if (rest.size() < sizeof header) return content;
  std::memcpy(&header, rest.data(), sizeof header);
  if (header.size < sizeof header || header.size > rest.size()) return content;
  rest = rest.first(static_cast<std::size_t>(header.size)).subspan(sizeof header);
  for (std::uint64_t n = 0; n < header.items; ++n) {
    ItemHeader item{};
    if (rest.size() < sizeof item) break;
    std::memcpy(&item, rest.data(), sizeof item);
    rest = rest.subspan(sizeof item);
    if (item.size > rest.size()) break;
    const auto size = static_cast<std::size_t>(item.size);
    content.items.push_back({static_cast<UINT>(item.format), rest.first(size)});
    rest = rest.subspan(std::min(padded(size), rest.size()));
  }
  return content;
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
  if (offer_is_there()) return true;
  // Killed after it had emptied the clipboard and before it marked its offer.
  if (page_->stage == kExchanging) return ::CountClipboardFormats() == 0;
  return page_->stage == kRestoring && content_is_there_in_part();
}

// The formats are put back in their order, and Windows adds those that it makes when the clipboard is closed. Nothing
// is rendered only now, because no program owns the clipboard.
bool KeptClipboard::content_is_there_in_part() const {
  const KeptContent kept = read_content(content());
  std::vector<ClipboardItem> found;
  auto next = kept.items.begin();
  for (const ClipboardItem& item :
       list_clipboard(std::numeric_limits<std::size_t>::max(), kReadTime, system_clock()).items) {
    const auto same = std::find_if(next, kept.items.end(), [&](const KeptItem& candidate) {
      return candidate.format == item.format && begins_with(item, candidate.bytes);
    });
    if (same != kept.items.end()) {
      found.push_back(item);
      next = same + 1;
    } else if (!may_be_made_from(item.format, found)) {
      return false;
    }
  }
  return !found.empty() || ::CountClipboardFormats() == 0;
}

void KeptClipboard::put_back() const {
  const KeptContent kept = read_content(content());
  if (!::EmptyClipboard()) return;
  for (const KeptItem& item : kept.items) {
    DA_FAULT_POINT("actuator.clipboard_restoring_a_format");
    (void)put_item(item.format, item.bytes);
  }
}

}  // namespace da::actuator::win32
