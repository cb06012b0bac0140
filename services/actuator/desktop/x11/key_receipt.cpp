#include "services/actuator/desktop/x11/key_receipt.h"

#include <algorithm>

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kBetweenCheckpoints{10};
// Below every caret's gap (400 ms), above the drawing of an application at work (197 ms).
constexpr Milliseconds kRest{300};
// The window manager pings windows by timestamps: numbers from here on are never one of its own.
constexpr std::uint32_t kFirstPing = 0xda000000;

}  // namespace

Result<KeyReceipt> KeyReceipt::open(Connection& connection, DamageWatch& damage) {
  KeyReceipt receipt(connection, damage);
  ASSIGN_OR_RETURN(receipt.protocols_, connection.atom("WM_PROTOCOLS"));
  ASSIGN_OR_RETURN(receipt.ping_, connection.atom("_NET_WM_PING"));
  receipt.last_ping_ = kFirstPing;
  // Answers are sent to the root window: to those who watch what is below it, by Qt to those who watch the root itself.
  RETURN_IF_ERROR(connection.select_events(
      connection.root(), XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_STRUCTURE_NOTIFY));
  return receipt;
}

// The focus may lie in a child of the window that speaks for the application.
Result<std::optional<xcb_window_t>> KeyReceipt::window_to_ask() {
  xcb_connection_t* x = connection_->get();
  ASSIGN_OR_RETURN(const auto focus,
                   connection_->reply(xcb_get_input_focus_reply, xcb_get_input_focus(x), "find the keyboard focus"));
  xcb_window_t window = focus->focus;
  while (window > XCB_INPUT_FOCUS_POINTER_ROOT && window != connection_->root()) {
    const auto property = connection_->ask_property(window, protocols_);
    const auto tree = xcb_query_tree(x, window);
    const auto protocols = connection_->take_property(property).words();
    const auto parents = connection_->reply(xcb_query_tree_reply, tree, "find a window's parent");
    if (std::ranges::find(protocols, ping_) != protocols.end()) return std::optional(window);
    if (!parents) break;
    window = (*parents)->parent;
  }
  RETURN_IF_ERROR(connection_->alive());
  return std::optional<xcb_window_t>();
}

Result<bool> KeyReceipt::can_ask() {
  ASSIGN_OR_RETURN(const auto window, window_to_ask());
  return window.has_value();
}

Result<void> KeyReceipt::await(MonoTime deadline, const Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(const auto window, window_to_ask());
  return window ? await_answer(*window, deadline, checkpoint) : await_rest(deadline, checkpoint);
}

Result<void> KeyReceipt::await_answer(xcb_window_t window, MonoTime deadline, const Checkpoint& checkpoint) {
  const Clock& clock = connection_->clock();
  const std::uint32_t number = ++last_ping_;
  connection_->send_message(window, window, protocols_, {ping_, number, window, 0, 0}, XCB_EVENT_MASK_NO_EVENT);
  MonoTime next_check = clock.now() + kBetweenCheckpoints;
  for (;;) {
    ASSIGN_OR_RETURN(const EventPtr event, connection_->next_event(std::min(deadline, next_check)));
    if (event && event_type(*event) == XCB_CLIENT_MESSAGE) {
      const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(*event);
      const auto& data = message.data.data32;
      if (message.type == protocols_ && data[0] == ping_ && data[1] == number) return ok();
    }
    if (clock.now() >= deadline)
      return Error{Code::kDeadlineExceeded, "the focused application has not read its keys in time: it may be hung"};
    if (clock.now() < next_check) continue;
    RETURN_IF_ERROR(checkpoint());
    next_check = clock.now() + kBetweenCheckpoints;
  }
}

Result<void> KeyReceipt::await_rest(MonoTime deadline, const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(checkpoint());
  ASSIGN_OR_RETURN(const Quiet quiet, damage_->wait_quiet(kRest, deadline));
  RETURN_IF_ERROR(checkpoint());
  if (quiet == Quiet::kSettled) return ok();
  return Error{Code::kDeadlineExceeded,
               "cannot tell whether the focused application has read its keys: it answers no ping and the screen "
               "does not rest"};
}

}  // namespace da::actuator::x11
