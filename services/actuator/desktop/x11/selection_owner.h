// Offers a text as the CLIPBOARD selection (ICCCM section 2) and serves it to whoever asks.
//
// Owns a connection, a window and the thread "clipboard" that answers: UTF8_STRING, text/plain, STRING, TEXT, TARGETS
// and TIMESTAMP; large texts by INCR, a piece each time the requestor has taken the last. offer() and
// wait_until_fetched() may be called from any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

struct SelectionAtoms {
  xcb_atom_t clipboard, targets, timestamp, utf8_string, text, text_plain, text_plain_utf8, incr, stamp;
  static Result<SelectionAtoms> intern(Connection& connection);
};

class SelectionOwner {
 public:
  static Result<std::unique_ptr<SelectionOwner>> open(const std::string& display, const Clock& clock);
  ~SelectionOwner();
  SelectionOwner(const SelectionOwner&) = delete;
  SelectionOwner& operator=(const SelectionOwner&) = delete;

  // Returns once the server names us the owner. kDeadlineExceeded, kUnavailable, kAborted (another was quicker).
  Result<void> offer(std::string text, MonoTime deadline);
  // True once someone other than `ourselves` has had the whole text of the last offer.
  bool wait_until_fetched(MonoTime deadline);
  // Fetches by this window do not count.
  void ignore_requestor(xcb_window_t ourselves);

 private:
  // A text on its way in pieces. It keeps its text: a later offer does not change what this requestor gets.
  struct Transfer {
    xcb_window_t requestor;
    xcb_atom_t property, type;
    std::string text;
    std::shared_ptr<const std::string> offer;  // What text was made from.
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
  void put(const xcb_selection_request_event_t& request, xcb_atom_t property, std::string text,
           const std::shared_ptr<const std::string>& offer);
  void send_piece(xcb_window_t requestor, xcb_atom_t property);
  void note_fetched(xcb_window_t requestor, const std::shared_ptr<const std::string>& offer);

  std::unique_ptr<Connection> connection_;
  SelectionAtoms atoms_;
  xcb_window_t window_;
  os::UniqueFd stop_;                // An eventfd: readable when the thread shall end.
  std::vector<Transfer> transfers_;  // The thread's alone.

  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const std::string> text_;
  Ownership ownership_ = Ownership::kNone;
  xcb_timestamp_t owned_since_ = 0;
  xcb_window_t ourselves_ = 0;
  bool fetched_ = false;
  bool lost_connection_ = false;
  std::thread thread_;
};

}  // namespace da::actuator::x11
