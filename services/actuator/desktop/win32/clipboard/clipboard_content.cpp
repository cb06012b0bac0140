#include "services/actuator/desktop/win32/clipboard/clipboard_content.h"

#include <cstring>

#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {
namespace {

bool is_memory(UINT format) {
  const bool object = format == CF_BITMAP || format == CF_PALETTE || format == CF_METAFILEPICT ||
                      format == CF_ENHMETAFILE || format == CF_OWNERDISPLAY || format == CF_DSPBITMAP ||
                      format == CF_DSPMETAFILEPICT || format == CF_DSPENHMETAFILE;
  const bool belongs_to_owner =
      (format >= CF_PRIVATEFIRST && format <= CF_PRIVATELAST) || (format >= CF_GDIOBJFIRST && format <= CF_GDIOBJLAST);
  return !object && !belongs_to_owner;
}

}  // namespace

HGLOBAL global_copy(const void* bytes, std::size_t size) {
  UniqueGlobalMemory memory(::GlobalAlloc(GMEM_MOVEABLE, size));
  void* target = memory ? ::GlobalLock(memory.get()) : nullptr;
  if (target == nullptr) return nullptr;
  std::memcpy(target, bytes, size);
  ::GlobalUnlock(memory.get());
  return memory.release();
}

ClipboardContent read_clipboard(std::size_t limit) {
  ClipboardContent content;
  std::size_t total = 0;
  for (UINT format = ::EnumClipboardFormats(0); format != 0; format = ::EnumClipboardFormats(format)) {
    if (!is_memory(format)) continue;
    const HANDLE data = ::GetClipboardData(format);
    const std::size_t size = data != nullptr ? ::GlobalSize(data) : 0;
    if (size == 0 || size > limit - total) continue;
    const void* bytes = ::GlobalLock(data);
    if (bytes == nullptr) continue;
    content.push_back({format, std::string(static_cast<const char*>(bytes), size)});
    ::GlobalUnlock(data);
    total += size;
  }
  return content;
}

void write_clipboard(const ClipboardContent& content) {
  for (const ClipboardItem& item : content) {
    UniqueGlobalMemory memory(global_copy(item.bytes.data(), item.bytes.size()));
    if (memory && ::SetClipboardData(item.format, memory.get()) != nullptr) (void)memory.release();
  }
}

}  // namespace da::actuator::win32
