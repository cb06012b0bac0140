#include "tests/services/actuator/win32/clipboard/raw_clipboard.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace da::actuator::raw_clipboard {
namespace {

class Opened {
 public:
  explicit Opened(HWND window = nullptr) : window_(window != nullptr ? window : own_.emplace().get()) {
    constexpr int kTries = 500;
    for (int i = 0; i < kTries && !(open_ = ::OpenClipboard(window_) != 0); ++i) ::Sleep(10);
    EXPECT_TRUE(open_) << "the clipboard is not free: " << ::GetLastError();
  }
  ~Opened() {
    if (open_) ::CloseClipboard();
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

 private:
  struct Window {
    Window() = default;
    ~Window() { ::DestroyWindow(handle); }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    HWND get() const { return handle; }
    HWND handle = ::CreateWindowExW(0, L"Static", L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, nullptr, nullptr);
  };

  std::optional<Window> own_;
  HWND window_;
  bool open_ = false;
};

HANDLE handle_of(const Content& content) {
  if (content.format == CF_ENHMETAFILE) {
    return ::SetEnhMetaFileBits(static_cast<UINT>(content.bytes.size()),
                                reinterpret_cast<const BYTE*>(content.bytes.data()));
  }
  const HGLOBAL memory = ::GlobalAlloc(GMEM_MOVEABLE, content.bytes.size());
  std::memcpy(::GlobalLock(memory), content.bytes.data(), content.bytes.size());
  ::GlobalUnlock(memory);
  return memory;
}

std::optional<std::string> bytes_of(UINT format) {
  const HANDLE data = ::GetClipboardData(format);
  if (data == nullptr) return std::nullopt;
  if (format == CF_ENHMETAFILE) {
    const auto metafile = static_cast<HENHMETAFILE>(data);
    std::string bytes(::GetEnhMetaFileBits(metafile, 0, nullptr), '\0');
    ::GetEnhMetaFileBits(metafile, static_cast<UINT>(bytes.size()), reinterpret_cast<BYTE*>(bytes.data()));
    return bytes;
  }
  if (format == CF_BITMAP || format == CF_PALETTE || format == CF_METAFILEPICT) return std::nullopt;
  const auto* bytes = static_cast<const char*>(::GlobalLock(data));
  if (bytes == nullptr) return std::nullopt;
  std::string copied(bytes, ::GlobalSize(data));
  ::GlobalUnlock(data);
  return copied;
}

}  // namespace

void copy(const std::vector<Content>& contents, HWND window) {
  const Opened opened(window);
  ASSERT_TRUE(::EmptyClipboard());
  for (const Content& content : contents) {
    ASSERT_NE(::SetClipboardData(content.format, handle_of(content)), nullptr) << content.format;
  }
}

void copy_text(const std::wstring& text) {
  copy({{CF_UNICODETEXT, {reinterpret_cast<const char*>(text.c_str()), (text.size() + 1) * sizeof(wchar_t)}}});
}

void clear() { copy({}); }

void take_over(HWND window) {
  std::vector<Content> copied;
  for (const auto& [format, bytes] : all()) copied.push_back({format, bytes});
  copy(copied, window);
}

std::map<UINT, std::string> all() {
  const Opened opened;
  std::map<UINT, std::string> found;
  for (UINT format = ::EnumClipboardFormats(0); format != 0; format = ::EnumClipboardFormats(format)) {
    if (const auto bytes = bytes_of(format)) found[format] = *bytes;
  }
  return found;
}

std::string get(UINT format) {
  const Opened opened;
  return ::IsClipboardFormatAvailable(format) ? bytes_of(format).value_or("") : "";
}

std::wstring text() {
  const std::string bytes = get(CF_UNICODETEXT);
  return bytes.empty() ? L"" : reinterpret_cast<const wchar_t*>(bytes.data());
}

std::vector<UINT> formats() {
  const Opened opened;
  std::vector<UINT> found;
  for (UINT format = ::EnumClipboardFormats(0); format != 0; format = ::EnumClipboardFormats(format)) {
    found.push_back(format);
  }
  return found;
}

UINT registered(const wchar_t* name) { return ::RegisterClipboardFormatW(name); }

}  // namespace da::actuator::raw_clipboard
