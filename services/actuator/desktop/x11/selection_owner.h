// Offers a content as the CLIPBOARD selection (ICCCM section 2) and serves it to whoever asks.
//
// Owns a connection, a window and the thread "clipboard" that answers: each target of the content, TARGETS and
// TIMESTAMP; large values by INCR, a piece each time the requestor has taken the last. offer() and the waits may be
// called from any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/selection_content.h"
#include "services/actuator/desktop/x11/selection_reader.h"

namespace da::actuator::x11 {

enum class TakeClipboard { kFromAnybody, kIfFree };

class SelectionOwner {
 public:
  static Result<std::unique_ptr<SelectionOwner>> open(const std::string& display, const Clock& clock);
  ~SelectionOwner();
  SelectionOwner(const SelectionOwner&) = delete;
  SelectionOwner& operator=(const SelectionOwner&) = delete;

  xcb_window_t window() const { return window_; }

  // Returns once the server names us the owner. kDeadlineExceeded, kUnavailable, kAborted (another was quicker, or has
  // it and we take it only if it is free).
  Result<void> offer(SelectionContent content, MonoTime deadline, TakeClipboard take = TakeClipboard::kFromAnybody);
  // Returns once another has taken the clipboard, or the display has gone; and then once the values that are on their
  // way in pieces have arrived, for which `patience` is left.
  void wait_until_replaced(Milliseconds patience);
  // True once someone other than `ourselves` has had a whole value of the last offer.
  bool wait_until_fetched(MonoTime deadline);
  // Fetches by this window do not count.
  void ignore_requestor(xcb_window_t ourselves);

 private:
  using Offer = std::shared_ptr<const SelectionContent>;
  // A value on its way in pieces. It keeps its value: a later offer does not change what this requestor gets.
  struct Transfer {
    xcb_window_t requestor;
    xcb_atom_t property;
    SelectionItem item;
    Offer offer;  // Where the item is from.
    std::size_t sent = 0;
  };
  enum class Ownership { kNone, kAsked, kOwned, kRefused };

  SelectionOwner(std::unique_ptr<Connection> connection, const SelectionAtoms& atoms, xcb_window_t window,
                 os::UniqueFd stop);
  void serve();
  void handle(const xcb_generic_event_t& event);
  void take_ownership(xcb_timestamp_t time);
  void answer(const xcb_selection_request_event_t& request);
  bool convert(const xcb_selection_request_event_t& request, xcb_atom_t property);
  void put(const xcb_selection_request_event_t& request, xcb_atom_t property, const SelectionItem& item,
           const Offer& offer);
  void send_piece(xcb_window_t requestor, xcb_atom_t property);
  void note_fetched(xcb_window_t requestor, const Offer& offer);
  void count_transfers();

  std::unique_ptr<Connection> connection_;
  SelectionAtoms atoms_;
  xcb_window_t window_;
  os::UniqueFd stop_;                // An eventfd: readable when the thread shall end.
  std::vector<Transfer> transfers_;  // The thread's alone.

  std::mutex mutex_;
  std::condition_variable changed_;
  Offer offer_;
  TakeClipboard take_ = TakeClipboard::kFromAnybody;
  Ownership ownership_ = Ownership::kNone;
  xcb_timestamp_t owned_since_ = 0;
  xcb_window_t ourselves_ = 0;
  bool fetched_ = false;
  bool lost_connection_ = false;
  std::size_t under_way_ = 0;  // How many transfers_ there are.
  std::thread thread_;
};

}  // namespace da::actuator::x11
