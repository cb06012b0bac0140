#include "services/actuator/desktop/win32/clipboard/clipboard_content.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {
namespace {

// Source: "RegisterClipboardFormat" of Microsoft's documentation.
constexpr UINT kFirstRegistered = 0xc000;

struct EnhancedMetafileTraits {
  using Handle = HENHMETAFILE;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::DeleteEnhMetaFile(handle); }
};
using UniqueEnhancedMetafile = os::UniqueHandle<EnhancedMetafileTraits>;

// These name a living object of the owner, and its formats. Source: "OleSetClipboard" of Microsoft's documentation.
bool belongs_to_ole(UINT format) {
  static const UINT kDataObject = ::RegisterClipboardFormatW(L"DataObject");
  static const UINT kOlePrivateData = ::RegisterClipboardFormatW(L"Ole Private Data");
  return format == kDataObject || format == kOlePrivateData;
}

bool is_bytes(UINT format) {
  const bool object = format == CF_BITMAP || format == CF_PALETTE || format == CF_METAFILEPICT ||
                      format == CF_OWNERDISPLAY || format == CF_DSPBITMAP || format == CF_DSPMETAFILEPICT ||
                      format == CF_DSPENHMETAFILE;
  // CF_PRIVATEFIRST to CF_PRIVATELAST, and CF_GDIOBJFIRST to CF_GDIOBJLAST after them.
  const bool belongs_to_owner = format >= CF_PRIVATEFIRST && format <= CF_GDIOBJLAST;
  return !object && !belongs_to_owner && !belongs_to_ole(format);
}

bool has_one_of(std::initializer_list<UINT> formats, const std::vector<ClipboardItem>& items) {
  return std::ranges::any_of(
      items, [&](const ClipboardItem& item) { return std::ranges::find(formats, item.format) != formats.end(); });
}

// Windows enumerates a format that it makes after the format that it is made from. CF_DIBV5 after CF_DIB is kept all
// the same: an owner's own one may have transparency, which CF_DIB lacks.
bool is_made_from_earlier(UINT format, const std::vector<ClipboardItem>& earlier) {
  switch (format) {
    case CF_TEXT: return has_one_of({CF_UNICODETEXT, CF_OEMTEXT}, earlier);
    case CF_OEMTEXT: return has_one_of({CF_UNICODETEXT, CF_TEXT}, earlier);
    case CF_DIB: return has_one_of({CF_DIBV5}, earlier);
    default: return false;
  }
}

std::size_t size_of(UINT format, HANDLE data) {
  if (format == CF_ENHMETAFILE) return ::GetEnhMetaFileBits(static_cast<HENHMETAFILE>(data), 0, nullptr);
  return ::GlobalSize(data);
}

// A registered format without bytes may mean something by its name: "keep this out of the history", for example.
bool may_be_empty(UINT format) { return format >= kFirstRegistered; }

}  // namespace

ClipboardContent list_clipboard(std::size_t limit, Milliseconds patience, const Clock& clock) {
  ClipboardContent content;
  const MonoTime deadline = clock.now() + patience;
  for (UINT format = ::EnumClipboardFormats(0); format != 0; format = ::EnumClipboardFormats(format)) {
    if (!is_bytes(format) || is_made_from_earlier(format, content.items)) continue;
    const HANDLE data = clock.now() < deadline ? ::GetClipboardData(format) : nullptr;
    const std::size_t size = data != nullptr ? size_of(format, data) : 0;
    const bool nothing = data == nullptr || (size == 0 && !may_be_empty(format));
    if (nothing || size > limit - content.bytes) {
      ++content.left_out;
      continue;
    }
    content.items.push_back({format, data, size});
    content.bytes += size;
  }
  return content;
}

bool copy_item(const ClipboardItem& item, std::span<std::byte> to) {
  if (to.empty()) return true;
  if (item.format == CF_ENHMETAFILE) {
    const auto size = static_cast<UINT>(to.size());
    return ::GetEnhMetaFileBits(static_cast<HENHMETAFILE>(item.data), size, reinterpret_cast<BYTE*>(to.data())) == size;
  }
  const void* bytes = ::GlobalLock(item.data);
  if (bytes == nullptr) return false;
  std::memcpy(to.data(), bytes, to.size());
  ::GlobalUnlock(item.data);
  return true;
}

bool begins_with(const ClipboardItem& item, std::span<const std::byte> bytes) {
  if (item.size < bytes.size()) return false;
  if (bytes.empty()) return true;
  if (item.format == CF_ENHMETAFILE) {
    std::vector<std::byte> copy(item.size);
    return copy_item(item, copy) && std::ranges::equal(bytes, std::span(copy).first(bytes.size()));
  }
  const void* begin = ::GlobalLock(item.data);
  if (begin == nullptr) return false;
  const bool same = std::memcmp(begin, bytes.data(), bytes.size()) == 0;
  ::GlobalUnlock(item.data);
  return same;
}

// Source: "Clipboard Formats", section "Synthesized Clipboard Formats", of Microsoft's documentation. Only formats that
// list_clipboard() lists and put_item() leads to.
bool may_be_made_from(UINT format, const std::vector<ClipboardItem>& others) {
  switch (format) {
    case CF_LOCALE:
    case CF_TEXT:
    case CF_OEMTEXT:
    case CF_UNICODETEXT: return has_one_of({CF_TEXT, CF_OEMTEXT, CF_UNICODETEXT}, others);
    case CF_DIB:
    case CF_DIBV5: return has_one_of({CF_DIB, CF_DIBV5}, others);
    default: return false;
  }
}

bool put_item(UINT format, std::span<const std::byte> bytes) {
  if (format == CF_ENHMETAFILE) {
    UniqueEnhancedMetafile metafile(
        ::SetEnhMetaFileBits(static_cast<UINT>(bytes.size()), reinterpret_cast<const BYTE*>(bytes.data())));
    if (!metafile || ::SetClipboardData(format, metafile.get()) == nullptr) return false;
    (void)metafile.release();  // The clipboard owns it now.
    return true;
  }
  UniqueGlobalMemory memory(::GlobalAlloc(GMEM_MOVEABLE | GMEM_ZEROINIT, std::max<std::size_t>(bytes.size(), 1)));
  void* target = memory ? ::GlobalLock(memory.get()) : nullptr;
  if (target == nullptr) return false;
  if (!bytes.empty()) std::memcpy(target, bytes.data(), bytes.size());
  ::GlobalUnlock(memory.get());
  if (::SetClipboardData(format, memory.get()) == nullptr) return false;
  (void)memory.release();
  return true;
}

}  // namespace da::actuator::win32
