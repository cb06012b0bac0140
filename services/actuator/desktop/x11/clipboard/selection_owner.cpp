#include "services/actuator/desktop/x11/clipboard/selection_owner.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kPieceBytes = 128U << 10;  // Below the smallest maximum request of any server (256 KiB).

void put_bytes(Connection& connection, xcb_window_t requestor, xcb_atom_t property, const SelectionItem& item,
               std::string_view bytes) {
  xcb_change_property(connection.get(), XCB_PROP_MODE_REPLACE, requestor, property, item.type, item.format,
                      static_cast<std::uint32_t>(bytes.size() / (item.format / 8U)), bytes.data());
}

}  // namespace

Result<std::unique_ptr<SelectionOwner>> SelectionOwner::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const auto atoms, SelectionAtoms::intern(*connection));
  ASSIGN_OR_RETURN(const auto owners, WindowOwners::open(*connection));
  ASSIGN_OR_RETURN(const xcb_window_t window,
                   connection->create_hidden_window(XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_CW_EVENT_MASK,
                                                    XCB_EVENT_MASK_PROPERTY_CHANGE, "owns the clipboard"));
  os::UniqueFd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop) return posix_error("create the clipboard's stop signal", errno);
  return std::unique_ptr<SelectionOwner>(
      new SelectionOwner(std::move(connection), atoms, owners, window, std::move(stop)));
}

SelectionOwner::SelectionOwner(std::unique_ptr<Connection> connection, const SelectionAtoms& atoms,
                               const WindowOwners& owners, xcb_window_t window, os::UniqueFd stop)
    : connection_(std::move(connection)), atoms_(atoms), owners_(owners), window_(window), stop_(std::move(stop)) {
  thread_ = std::thread([this] { serve(); });
  ::pthread_setname_np(thread_.native_handle(), "clipboard");
}

SelectionOwner::~SelectionOwner() {
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

// Taking a selection needs a server timestamp (ICCCM 2.1): changing a property causes an event that has one.
Result<void> SelectionOwner::offer(SelectionContent content, MonoTime deadline, TakeClipboard take) {
  std::unique_lock lock(mutex_);
  offer_ = std::make_shared<const SelectionContent>(std::move(content));
  take_ = take;
  fetched_ = false;
  target_.reset();
  ownership_ = Ownership::kAsked;
  xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, window_, atoms_.stamp, XCB_ATOM_STRING, 8, 0, nullptr);
  connection_->flush();
  const bool answered =
      changed_.wait_until(lock, deadline, [this] { return ownership_ != Ownership::kAsked || lost_connection_; });
  if (lost_connection_) return Error{Code::kUnavailable, "take the clipboard: the X display is gone"};
  if (!answered) return Error{Code::kDeadlineExceeded, "take the clipboard: the X server has not answered"};
  if (ownership_ == Ownership::kOwned) return ok();
  return Error{Code::kAborted, "take the clipboard: another application has it"};
}

bool SelectionOwner::wait_until_fetched(MonoTime deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline,
                      [this] { return fetched_ || lost_connection_ || ownership_ != Ownership::kOwned; });
  return fetched_;
}

void SelectionOwner::wait_until_replaced(Milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return lost_connection_ || ownership_ != Ownership::kOwned; });
  changed_.wait_until(lock, connection_->clock().now() + patience,
                      [this] { return lost_connection_ || under_way_ == 0; });
}

void SelectionOwner::ignore_requestor(xcb_window_t ourselves) {
  const std::lock_guard lock(mutex_);
  ourselves_ = ourselves;
}

void SelectionOwner::count_only(const PasteTarget& target) {
  const std::lock_guard lock(mutex_);
  target_ = target;
  fetched_ = false;
}

bool SelectionOwner::replaced() {
  const std::lock_guard lock(mutex_);
  return ownership_ != Ownership::kOwned;
}

void SelectionOwner::serve() {
  for (;;) {
    while (const EventPtr event = connection_->pending_event()) handle(*event);
    connection_->flush();
    if (!connection_->alive()) break;
    std::array<pollfd, 2> waiting{{{xcb_get_file_descriptor(connection_->get()), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    if (waiting[1].revents != 0) return;
  }
  const std::lock_guard lock(mutex_);
  lost_connection_ = true;
  changed_.notify_all();
}

void SelectionOwner::handle(const xcb_generic_event_t& event) {
  switch (event_type(event)) {
    case XCB_PROPERTY_NOTIFY: {
      const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(event);
      if (change.window == window_ && change.atom == atoms_.stamp)
        take_ownership(change.time);
      else if (change.state == XCB_PROPERTY_DELETE)
        send_piece(change.window, change.atom);
      break;
    }
    case XCB_SELECTION_REQUEST: answer(reinterpret_cast<const xcb_selection_request_event_t&>(event)); break;
    case XCB_SELECTION_CLEAR: {
      const auto& clear = reinterpret_cast<const xcb_selection_clear_event_t&>(event);
      const std::lock_guard lock(mutex_);
      // One that is older than our last claim speaks of the claim before it.
      if (ownership_ != Ownership::kOwned || clear.time < owned_since_) break;
      ownership_ = Ownership::kNone;
      changed_.notify_all();
      break;
    }
    case XCB_DESTROY_NOTIFY: {
      const auto gone = reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window;
      std::erase_if(transfers_, [gone](const Transfer& each) { return each.requestor == gone; });
      count_transfers();
      break;
    }
    default: break;
  }
}

void SelectionOwner::take_ownership(xcb_timestamp_t time) {
  xcb_connection_t* x = connection_->get();
  const auto is_owner = [&](xcb_window_t window) {
    const auto owner = connection_->selection_owner(atoms_.clipboard);
    return owner && *owner == window;
  };
  const auto take = [&] {
    const std::lock_guard lock(mutex_);
    return take_;
  }();
  // The grab keeps others from taking the selection between the check and the claim.
  if (take == TakeClipboard::kIfFree) xcb_grab_server(x);
  if (take == TakeClipboard::kFromAnybody || is_owner(XCB_NONE))
    xcb_set_selection_owner(x, window_, atoms_.clipboard, time);
  const bool ours = is_owner(window_);
  if (take == TakeClipboard::kIfFree) xcb_ungrab_server(x);
  connection_->flush();
  const std::lock_guard lock(mutex_);
  ownership_ = ours ? Ownership::kOwned : Ownership::kRefused;
  owned_since_ = time;
  changed_.notify_all();
}

void SelectionOwner::answer(const xcb_selection_request_event_t& request) {
  // An obsolete requestor names no property: use the target's name (ICCCM 2.2).
  const xcb_atom_t property = request.property != XCB_ATOM_NONE ? request.property : request.target;
  xcb_selection_notify_event_t notice{};
  notice.response_type = XCB_SELECTION_NOTIFY;
  notice.time = request.time;
  notice.requestor = request.requestor;
  notice.selection = request.selection;
  notice.target = request.target;
  const bool whole =
      request.target == atoms_.multiple ? convert_each(request, property) : convert(request, request.target, property);
  notice.property = whole ? property : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
  xcb_send_event(connection_->get(), 0, request.requestor, XCB_EVENT_MASK_NO_EVENT,
                 reinterpret_cast<const char*>(&notice));
}

// MULTIPLE (ICCCM 2.6.2): the property has pairs of a target and a property. A target that cannot be converted becomes
// None.
bool SelectionOwner::convert_each(const xcb_selection_request_event_t& request, xcb_atom_t property) {
  constexpr std::size_t kMostPairs = 64;
  if (request.property == XCB_ATOM_NONE) return false;
  auto pairs = connection_->take_property(connection_->ask_property(request.requestor, property)).words();
  if (pairs.empty() || pairs.size() % 2 != 0 || pairs.size() > 2 * kMostPairs) return false;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const bool known = pairs[i] != atoms_.multiple && pairs[i + 1] != XCB_ATOM_NONE;
    if (!known || !convert(request, pairs[i], pairs[i + 1])) pairs[i] = XCB_ATOM_NONE;
  }
  xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, request.requestor, property, atoms_.atom_pair, 32,
                      static_cast<std::uint32_t>(pairs.size()), pairs.data());
  return true;
}

bool SelectionOwner::convert(const xcb_selection_request_event_t& request, xcb_atom_t target, xcb_atom_t property) {
  Offer offer;
  xcb_timestamp_t since = 0;
  {
    const std::lock_guard lock(mutex_);
    offer = offer_;
    since = owned_since_;
  }
  if (!offer || request.selection != atoms_.clipboard) return false;
  const auto give_words = [&](xcb_atom_t type, std::span<const std::uint32_t> words) {
    xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, request.requestor, property, type, 32,
                        static_cast<std::uint32_t>(words.size()), words.data());
    return true;
  };
  if (target == atoms_.targets) {
    std::vector<std::uint32_t> targets = {atoms_.targets, atoms_.timestamp, atoms_.multiple};
    for (const SelectionItem& item : *offer) targets.push_back(item.target);
    return give_words(XCB_ATOM_ATOM, targets);
  }
  if (target == atoms_.timestamp) return give_words(XCB_ATOM_INTEGER, std::array{since});
  const auto item = std::ranges::find(*offer, target, &SelectionItem::target);
  if (item == offer->end()) return false;
  put(request.requestor, property, *item, offer);
  return true;
}

void SelectionOwner::put(xcb_window_t requestor, xcb_atom_t property, const SelectionItem& item, const Offer& offer) {
  const bool counts = counts_as_fetch(requestor);
  if (item.bytes->size() <= kPieceBytes) {
    put_bytes(*connection_, requestor, property, item, *item.bytes);
    if (counts) note_fetched(offer);
    return;
  }
  constexpr std::uint32_t kMask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(connection_->get(), requestor, XCB_CW_EVENT_MASK, &kMask);
  const auto size = static_cast<std::uint32_t>(item.bytes->size());
  xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, requestor, property, atoms_.incr, 32, 1, &size);
  transfers_.push_back({requestor, property, item, offer, counts, 0});
  count_transfers();
}

// The requestor deletes the property after taking a piece. An empty piece ends the transfer.
void SelectionOwner::send_piece(xcb_window_t requestor, xcb_atom_t property) {
  const auto transfer = std::ranges::find_if(
      transfers_, [&](const Transfer& each) { return each.requestor == requestor && each.property == property; });
  if (transfer == transfers_.end()) return;
  const auto piece = std::string_view(*transfer->item.bytes).substr(transfer->sent, kPieceBytes);
  put_bytes(*connection_, requestor, property, transfer->item, piece);
  transfer->sent += piece.size();
  if (!piece.empty()) return;
  if (transfer->counts) note_fetched(transfer->offer);
  transfers_.erase(transfer);
  // One requestor may take several values at once (MULTIPLE).
  if (std::ranges::find(transfers_, requestor, &Transfer::requestor) == transfers_.end()) {
    constexpr std::uint32_t kNothing = XCB_EVENT_MASK_NO_EVENT;
    xcb_change_window_attributes(connection_->get(), requestor, XCB_CW_EVENT_MASK, &kNothing);
  }
  // The server must have the last piece before a process that waits for the transfer ends.
  connection_->flush();
  count_transfers();
}

bool SelectionOwner::counts_as_fetch(xcb_window_t requestor) {
  std::optional<PasteTarget> target;
  {
    const std::lock_guard lock(mutex_);
    if (requestor == ourselves_) return false;
    target = target_;
  }
  return !target || target->owns(*connection_, owners_, requestor);
}

void SelectionOwner::note_fetched(const Offer& offer) {
  const std::lock_guard lock(mutex_);
  if (offer != offer_) return;
  fetched_ = true;
  changed_.notify_all();
}

void SelectionOwner::count_transfers() {
  const std::lock_guard lock(mutex_);
  under_way_ = transfers_.size();
  changed_.notify_all();
}

}  // namespace da::actuator::x11
