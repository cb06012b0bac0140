#include "services/actuator/desktop/x11/selection_owner.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kPieceBytes = 128U << 10;  // Below the smallest maximum request of any server (256 KiB).

// STRING is Latin-1: what does not fit becomes '?'.
std::string latin1_of(std::string_view utf8) {
  std::string out;
  for (const char32_t c : decode_utf8(utf8).value_or(std::u32string())) out += c <= 0xff ? static_cast<char>(c) : '?';
  return out;
}

}  // namespace

Result<SelectionAtoms> SelectionAtoms::intern(Connection& connection) {
  SelectionAtoms atoms{};
  const std::array<std::pair<std::string_view, xcb_atom_t*>, 9> wanted{{
      {"CLIPBOARD", &atoms.clipboard},
      {"TARGETS", &atoms.targets},
      {"TIMESTAMP", &atoms.timestamp},
      {"UTF8_STRING", &atoms.utf8_string},
      {"TEXT", &atoms.text},
      {"text/plain", &atoms.text_plain},
      {"text/plain;charset=utf-8", &atoms.text_plain_utf8},
      {"INCR", &atoms.incr},
      {"_DESKTOPASSIST_TIME", &atoms.stamp},
  }};
  for (const auto& [name, place] : wanted) {
    ASSIGN_OR_RETURN(*place, connection.atom(name));
  }
  return atoms;
}

Result<std::unique_ptr<SelectionOwner>> SelectionOwner::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const auto atoms, SelectionAtoms::intern(*connection));
  const xcb_window_t window = xcb_generate_id(connection->get());
  constexpr std::uint32_t kMask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  RETURN_IF_ERROR(connection->check(
      xcb_create_window_checked(connection->get(), XCB_COPY_FROM_PARENT, window, connection->root(), -1, -1, 1, 1, 0,
                                XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &kMask),
      "create the clipboard's window"));
  os::UniqueFd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop) return posix_error("create the clipboard's stop signal", errno);
  return std::unique_ptr<SelectionOwner>(new SelectionOwner(std::move(connection), atoms, window, std::move(stop)));
}

SelectionOwner::SelectionOwner(std::unique_ptr<Connection> connection, const SelectionAtoms& atoms, xcb_window_t window,
                               os::UniqueFd stop)
    : connection_(std::move(connection)), atoms_(atoms), window_(window), stop_(std::move(stop)) {
  thread_ = std::thread([this] { serve(); });
  ::pthread_setname_np(thread_.native_handle(), "clipboard");
}

SelectionOwner::~SelectionOwner() {
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

// A selection is taken with a time of the server's (ICCCM 2.1): a property that changes brings one.
Result<void> SelectionOwner::offer(std::string text, MonoTime deadline) {
  std::unique_lock lock(mutex_);
  text_ = std::make_shared<const std::string>(std::move(text));
  fetched_ = false;
  ownership_ = Ownership::kAsked;
  xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, window_, atoms_.stamp, XCB_ATOM_STRING, 8, 0, nullptr);
  connection_->flush();
  const bool answered =
      changed_.wait_until(lock, deadline, [this] { return ownership_ != Ownership::kAsked || lost_connection_; });
  if (lost_connection_) return Error{Code::kUnavailable, "put text on the clipboard: the X display is gone"};
  if (!answered) return Error{Code::kDeadlineExceeded, "put text on the clipboard: the X server has not answered"};
  if (ownership_ == Ownership::kOwned) return ok();
  return Error{Code::kAborted, "put text on the clipboard: another application took it at the same moment"};
}

bool SelectionOwner::wait_until_fetched(MonoTime deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline,
                      [this] { return fetched_ || lost_connection_ || ownership_ != Ownership::kOwned; });
  return fetched_;
}

void SelectionOwner::ignore_requestor(xcb_window_t ourselves) {
  const std::lock_guard lock(mutex_);
  ourselves_ = ourselves;
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
      break;
    }
    default: break;
  }
}

void SelectionOwner::take_ownership(xcb_timestamp_t time) {
  xcb_set_selection_owner(connection_->get(), window_, atoms_.clipboard, time);
  const auto cookie = xcb_get_selection_owner(connection_->get(), atoms_.clipboard);
  const auto owner = connection_->reply(xcb_get_selection_owner_reply, cookie, "ask who owns the clipboard");
  const std::lock_guard lock(mutex_);
  const bool ours = owner && (*owner)->owner == window_;
  ownership_ = ours ? Ownership::kOwned : Ownership::kRefused;
  owned_since_ = time;
  changed_.notify_all();
}

void SelectionOwner::answer(const xcb_selection_request_event_t& request) {
  // A requestor of the old kind names no property: the target's name serves (ICCCM 2.2).
  const xcb_atom_t property = request.property != XCB_ATOM_NONE ? request.property : request.target;
  xcb_selection_notify_event_t notice{};
  notice.response_type = XCB_SELECTION_NOTIFY;
  notice.time = request.time;
  notice.requestor = request.requestor;
  notice.selection = request.selection;
  notice.target = request.target;
  notice.property = convert(request, property) ? property : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
  xcb_send_event(connection_->get(), 0, request.requestor, XCB_EVENT_MASK_NO_EVENT,
                 reinterpret_cast<const char*>(&notice));
}

bool SelectionOwner::convert(const xcb_selection_request_event_t& request, xcb_atom_t property) {
  std::shared_ptr<const std::string> text;
  xcb_timestamp_t since = 0;
  {
    const std::lock_guard lock(mutex_);
    text = text_;
    since = owned_since_;
  }
  if (!text || request.selection != atoms_.clipboard) return false;
  const auto give_words = [&](xcb_atom_t type, std::span<const std::uint32_t> words) {
    xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, request.requestor, property, type, 32,
                        static_cast<std::uint32_t>(words.size()), words.data());
    return true;
  };
  if (request.target == atoms_.targets)
    return give_words(XCB_ATOM_ATOM,
                      std::array{atoms_.targets, atoms_.timestamp, atoms_.utf8_string, atoms_.text_plain_utf8,
                                 atoms_.text_plain, atoms_.text, static_cast<xcb_atom_t>(XCB_ATOM_STRING)});
  if (request.target == atoms_.timestamp) return give_words(XCB_ATOM_INTEGER, std::array{since});
  if (request.target == XCB_ATOM_STRING) {
    put(request, property, latin1_of(*text), text);
  } else if (request.target == atoms_.utf8_string || request.target == atoms_.text_plain_utf8 ||
             request.target == atoms_.text_plain || request.target == atoms_.text) {
    put(request, property, *text, text);
  } else {
    return false;
  }
  return true;
}

void SelectionOwner::put(const xcb_selection_request_event_t& request, xcb_atom_t property, std::string text,
                         const std::shared_ptr<const std::string>& offer) {
  const xcb_atom_t type = request.target == atoms_.text ? atoms_.utf8_string : request.target;
  if (text.size() <= kPieceBytes) {
    xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, request.requestor, property, type, 8,
                        static_cast<std::uint32_t>(text.size()), text.data());
    note_fetched(request.requestor, offer);
    return;
  }
  constexpr std::uint32_t kMask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(connection_->get(), request.requestor, XCB_CW_EVENT_MASK, &kMask);
  const auto size = static_cast<std::uint32_t>(text.size());
  xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, request.requestor, property, atoms_.incr, 32, 1,
                      &size);
  transfers_.push_back({request.requestor, property, type, std::move(text), offer, 0});
}

// The requestor deletes the property when it has taken a piece. An empty piece is the end.
void SelectionOwner::send_piece(xcb_window_t requestor, xcb_atom_t property) {
  const auto transfer = std::ranges::find_if(
      transfers_, [&](const Transfer& each) { return each.requestor == requestor && each.property == property; });
  if (transfer == transfers_.end()) return;
  const auto piece = std::string_view(transfer->text).substr(transfer->sent, kPieceBytes);
  xcb_change_property(connection_->get(), XCB_PROP_MODE_REPLACE, requestor, property, transfer->type, 8,
                      static_cast<std::uint32_t>(piece.size()), piece.data());
  transfer->sent += piece.size();
  if (!piece.empty()) return;
  constexpr std::uint32_t kNothing = XCB_EVENT_MASK_NO_EVENT;
  xcb_change_window_attributes(connection_->get(), requestor, XCB_CW_EVENT_MASK, &kNothing);
  note_fetched(requestor, transfer->offer);
  transfers_.erase(transfer);
}

void SelectionOwner::note_fetched(xcb_window_t requestor, const std::shared_ptr<const std::string>& offer) {
  const std::lock_guard lock(mutex_);
  if (requestor == ourselves_ || offer != text_) return;
  fetched_ = true;
  changed_.notify_all();
}

}  // namespace da::actuator::x11
