// The clipboard's content as copies of its memory. The caller has opened the clipboard. One thread.
//
// Contains the formats that are memory, which are nearly all: text, files, HTML, RTF, and pictures as CF_DIB, from
// which Windows makes the others. Pictures and metafiles that are GDI objects are left out.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

namespace da::actuator::win32 {

struct ClipboardItem {
  UINT format = 0;
  std::string bytes;
};
using ClipboardContent = std::vector<ClipboardItem>;

// Reads at most `limit` bytes; what is larger is left out. May wait for the owner, which renders what it has delayed.
ClipboardContent read_clipboard(std::size_t limit);

// Adds the items to an emptied clipboard.
void write_clipboard(const ClipboardContent& content);

// A handle for SetClipboardData, which takes it over.
HGLOBAL global_copy(const void* bytes, std::size_t size);

}  // namespace da::actuator::win32
