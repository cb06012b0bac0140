// The formats of the clipboard's content as bytes. The caller has opened the clipboard. One thread.
//
// Covers memory (text, HTML, RTF, lists of files, pictures as CF_DIB and CF_DIBV5, the formats that applications
// register) and enhanced metafiles. Left out are:
// - formats that Windows makes from another one (CF_BITMAP, CF_METAFILEPICT, the ANSI forms of CF_UNICODETEXT)
// - formats that mean nothing without their owner: CF_OWNERDISPLAY, CF_PRIVATEFIRST to CF_GDIOBJLAST, OLE's DataObject
#pragma once

#include <windows.h>

#include <cstddef>
#include <span>
#include <vector>

#include "lib/base/clock.h"

namespace da::actuator::win32 {

// Valid while the clipboard is open and unchanged.
struct ClipboardItem {
  UINT format = 0;
  HANDLE data = nullptr;
  std::size_t size = 0;  // Bytes.
};

struct ClipboardContent {
  std::vector<ClipboardItem> items;  // Listed in the owner's order: the best format first.
  std::size_t bytes = 0;             // Size of all items together.
  std::size_t left_out = 0;          // Formats for which the limit or the time was not enough.
};

// Lists items of at most `limit` bytes together. Waits for an owner that renders its formats only now; asks for no more
// formats once `patience` is over. A single format can take longer.
ClipboardContent list_clipboard(std::size_t limit, Milliseconds patience, const Clock& clock);

// Fills `to`, which has the item's size. False when Windows does not hand out the bytes.
bool copy_item(const ClipboardItem& item, std::span<std::byte> to);

// Whether the item's bytes begin with these: Windows may have rounded its size up.
bool begins_with(const ClipboardItem& item, std::span<const std::byte> bytes);

// Whether Windows makes this format from one of the others when a program closes the clipboard.
bool may_be_made_from(UINT format, const std::vector<ClipboardItem>& others);

// Adds a format to a clipboard that the caller has emptied. False when Windows does not take it.
bool put_item(UINT format, std::span<const std::byte> bytes);

}  // namespace da::actuator::win32
