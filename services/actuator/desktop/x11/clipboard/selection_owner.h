// Owns the CLIPBOARD selection (ICCCM section 2) and serves its content to requestors.
//
// Owns a connection, a window and the thread "clipboard", which answers each target of the content, TARGETS, TIMESTAMP
// and MULTIPLE. Large values go by INCR, one piece after the requestor took the last. Any thread may call.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/clipboard/paste_target.h"
#include "services/actuator/desktop/x11/clipboard/selection_content.h"
#include "services/actuator/desktop/x11/clipboard/selection_reader.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

enum class TakeClipboard { kFromAnybody, kIfFree };

class SelectionOwner {
 public:
  static Result<std::unique_ptr<SelectionOwner>> open(const std::string& display, const Clock& clock);
  ~SelectionOwner();
  SelectionOwner(const SelectionOwner&) = delete;
  SelectionOwner& operator=(const SelectionOwner&) = delete;

  xcb_window_t window() const { return window_; }

  // Returns once this is the owner. Errors: kDeadlineExceeded, kUnavailable, kAborted (another application was faster,
  // or kIfFree found an owner).
  Result<void> offer(SelectionContent content, MonoTime deadline, TakeClipboard take = TakeClipboard::kFromAnybody);
  // Waits until another application has taken the clipboard or the display is gone, then up to `patience` for
  // transfers under way to finish.
  void wait_until_replaced(Milliseconds patience);
  // True once a requestor that counts has received a whole value of the last offer.
  bool wait_until_fetched(MonoTime deadline);
  // wait_until_fetched() ignores fetches by this window.
  void ignore_requestor(xcb_window_t ourselves);
  // From now on, and until the next offer, only fetches of this application count, and only those that begin later.
  void count_only(const PasteTarget& target);
  // Whether another application has taken the clipboard since the last offer.
  bool replaced();

 private:
  using Offer = std::shared_ptr<const SelectionContent>;
  // A value being sent in pieces. A later offer does not change it.
  struct Transfer {
    xcb_window_t requestor;
    xcb_atom_t property;
    SelectionItem item;
    Offer offer;  // The offer that `item` belongs to.
    bool counts;  // Whether it counts as a fetch of that offer.
    std::size_t sent = 0;
  };
  enum class Ownership { kNone, kAsked, kOwned, kRefused };

  SelectionOwner(std::unique_ptr<Connection> connection, const SelectionAtoms& atoms, const WindowOwners& owners,
                 xcb_window_t window, os::UniqueFd stop);
  void serve();
  void handle(const xcb_generic_event_t& event);
  void take_ownership(xcb_timestamp_t time);
  void answer(const xcb_selection_request_event_t& request);
  bool convert(const xcb_selection_request_event_t& request, xcb_atom_t target, xcb_atom_t property);
  bool convert_each(const xcb_selection_request_event_t& request, xcb_atom_t property);
  void put(xcb_window_t requestor, xcb_atom_t property, const SelectionItem& item, const Offer& offer);
  void send_piece(xcb_window_t requestor, xcb_atom_t property);
  bool counts_as_fetch(xcb_window_t requestor);
  void note_fetched(const Offer& offer);
  void count_transfers();

  std::unique_ptr<Connection> connection_;
  SelectionAtoms atoms_;
  WindowOwners owners_;
  xcb_window_t window_;
  os::UniqueFd stop_;                // An eventfd: readable when the thread must end.
  std::vector<Transfer> transfers_;  // Used only by the thread.

  std::mutex mutex_;
  std::condition_variable changed_;
  Offer offer_;
  TakeClipboard take_ = TakeClipboard::kFromAnybody;
  Ownership ownership_ = Ownership::kNone;
  xcb_timestamp_t owned_since_ = 0;
  xcb_window_t ourselves_ = 0;
  std::optional<PasteTarget> target_;  // Unset: all fetches count.
  bool fetched_ = false;
  bool lost_connection_ = false;
  std::size_t under_way_ = 0;  // transfers_.size(), for other threads.
  std::thread thread_;
};

}  // namespace da::actuator::x11
