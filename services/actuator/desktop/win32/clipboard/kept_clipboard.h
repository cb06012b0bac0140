// Keeps the content that the actuator replaces on the clipboard, in memory shared with the guardian, which puts it back
// if the actuator is killed.
//
// The content is nowhere else: its memory is as large as the content, and is freed when the last of both processes has
// closed it. Windows may swap it. A format of our own on the clipboard, with a random value for each actuator, tells
// whether the clipboard still has what the actuator offered. The actuator may end between any two instructions. One
// thread at a time.
#pragma once

#include <windows.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "lib/base/result.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/clipboard/clipboard_content.h"

namespace da::actuator::win32 {

class KeptClipboard {
 public:
  // Called by the actuator. The guardian inherits a copy of handle().
  static Result<KeptClipboard> create();
  // Called by the guardian, which has inherited the handle.
  static Result<KeptClipboard> map(UniqueKernelHandle memory);

  HANDLE handle() const { return memory_.get(); }
  // Call before share().
  void share_with(UniqueKernelHandle guardian) { guardian_ = std::move(guardian); }

  // For the actuator, with the clipboard open. First keep() and share() the content, then clear and fill the clipboard:
  // begin_exchange(), EmptyClipboard(), mark_offer(), other formats, end_exchange(), CloseClipboard(). At the end,
  // begin_restoring(), put_back(), forget(), CloseClipboard(). While the clipboard is open, nobody else changes it: so
  // the stage that the guardian reads fits to the content that it finds.
  //
  // After an error, nothing is kept.
  Result<void> keep(const ClipboardContent& content);
  // Lets the guardian have the content. After an error, which has no other effect, only put_back() by the actuator can
  // restore it.
  Result<void> share();
  void begin_exchange() { page_->stage = kExchanging; }
  void end_exchange() { page_->stage = kOffered; }
  void begin_restoring() { page_->stage = kRestoring; }
  bool mark_offer() const;
  // Frees the content. The clipboard is no longer the actuator's.
  void forget();

  // Whether the clipboard, which must be open, has the mark of this actuator. Waits for an owner that renders it only
  // now.
  bool offer_is_there() const;
  // For the guardian, with the clipboard open: whether the clipboard still has what the actuator left there: its offer,
  // nothing, or the first formats of the content that it was putting back. `actuator`: its process, which may have
  // ended.
  bool is_still_of(DWORD actuator) const;
  // Replaces the content of the clipboard, which must be open, by what was kept, which may be nothing.
  void put_back() const;

 private:
  enum Stage : std::uint64_t { kNothing, kExchanging, kOffered, kRestoring };
  struct Page {
    std::atomic<std::uint64_t> stage;
    std::atomic<std::uint64_t> offer;    // The random value.
    std::atomic<std::uint64_t> content;  // Handle of the content in the guardian; 0: none.
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  struct Unmap {
    void operator()(void* view) const { ::UnmapViewOfFile(view); }
  };

  KeptClipboard(UniqueKernelHandle memory, Page* page) : memory_(std::move(memory)), page_(page) {}
  HANDLE content() const;
  bool content_is_there_in_part() const;
  void unshare();

  UniqueKernelHandle memory_;
  std::unique_ptr<Page, Unmap> page_;
  UniqueKernelHandle guardian_;
  UniqueKernelHandle content_;
};

// The format of our own on the clipboard.
UINT offer_format();

}  // namespace da::actuator::win32
