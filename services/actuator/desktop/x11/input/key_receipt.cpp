#include "services/actuator/desktop/x11/input/key_receipt.h"

#include <sys/socket.h>

#include <algorithm>

#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kBetweenChecks{2};
// Qt acts on a key at the latest 100 ms after it sent it to the registry.
constexpr Milliseconds kRelayTime{1'000};
// Below the blink interval of carets (400 ms), above the drawing interval of a busy application (197 ms).
constexpr Milliseconds kRest{300};
// Distinguishes our pings from the window manager's, which use timestamps.
constexpr std::uint32_t kFirstPing = 0xda000000;

// 0 when the server is not on this host.
std::uint32_t server_pid(const Connection& connection) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const int socket = xcb_get_file_descriptor(connection.get());
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0) return 0;
  return static_cast<std::uint32_t>(peer.pid);
}

}  // namespace

Result<KeyReceipt> KeyReceipt::open(Connection& connection, DamageWatch& damage, AtspiKeyRelay& relay) {
  KeyReceipt receipt(connection, damage, relay);
  ASSIGN_OR_RETURN(receipt.atoms_, FocusAtoms::of(connection));
  receipt.server_pid_ = server_pid(connection);
  receipt.last_ping_ = kFirstPing;
  // Ping answers go to the root: to clients that select its substructure events; Qt's to those that select its events.
  RETURN_IF_ERROR(connection.select_events(connection.root(),
                                           XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_STRUCTURE_NOTIFY));
  return receipt;
}

bool KeyReceipt::can_watch(std::uint32_t pid) const { return activity_of(pid) && activity_of(server_pid_); }

Result<std::optional<FocusOwner>> KeyReceipt::provable_owner() {
  ASSIGN_OR_RETURN(const FocusOwner focused, find_focus_owner(*connection_, atoms_));
  if (!focused.answers && !can_watch(focused.pid)) return std::optional<FocusOwner>();
  return std::optional(focused);
}

Result<bool> KeyReceipt::can_prove() {
  ASSIGN_OR_RETURN(const auto focused, provable_owner());
  return focused.has_value();
}

bool KeyReceipt::acts_later() {
  const auto focused = find_focus_owner(*connection_, atoms_);
  return focused && relay_->acts_later(focused->pid, connection_->clock().now() + kRelayTime);
}

std::uint32_t KeyReceipt::ping(xcb_window_t window) {
  const std::uint32_t number = ++last_ping_;
  connection_->send_message(window, window, atoms_.protocols, {atoms_.ping, number, window, 0, 0},
                            XCB_EVENT_MASK_NO_EVENT);
  return number;
}

Result<void> KeyReceipt::mark() {
  ASSIGN_OR_RETURN(const FocusOwner focused, find_focus_owner(*connection_, atoms_));
  if (focused.answers) ping(*focused.answers);
  return ok();
}

MonoTime KeyReceipt::deadline_from_now(const Patience& patience) const {
  return std::min(patience.limit, connection_->clock().now() + patience.for_a_sign);
}

Result<void> KeyReceipt::await(const Patience& patience, const Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(const FocusOwner focused, find_focus_owner(*connection_, atoms_));
  RETURN_IF_ERROR(await_reading(focused, patience, checkpoint));
  const MonoTime deadline = std::min(patience.limit, connection_->clock().now() + kRelayTime);
  if (!relay_->acts_later(focused.pid, deadline)) return ok();
  // Qt reads all events that the server has sent, including pings, before it handles the first key. It reads the second
  // ping later, after it has handled those keys.
  relay_->await_answer(focused.pid, deadline);
  RETURN_IF_ERROR(await_reading(focused, patience, checkpoint));
  relay_->await_action(focused.pid, deadline);
  return ok();
}

Result<void> KeyReceipt::await_reading(const FocusOwner& focused, const Patience& patience,
                                       const Checkpoint& checkpoint) {
  if (focused.answers) return await_answer(*focused.answers, patience, checkpoint);
  if (can_watch(focused.pid)) return await_sleep(focused.pid, patience, checkpoint);
  return await_rest(deadline_from_now(patience), checkpoint);
}

// A sleeping application may also wait for the server's reply during its work. But when the server sleeps too, and
// nothing has woken the application around that check, no request, reply or event is under way.
bool KeyReceipt::both_sleep(std::uint32_t pid) const {
  const auto before = activity_of(pid);
  const auto server = activity_of(server_pid_);
  const auto after = activity_of(pid);
  return server && server->asleep && after && after->asleep && before == after;
}

Result<void> KeyReceipt::await_sleep(std::uint32_t pid, const Patience& patience, const Checkpoint& checkpoint) {
  MonoTime deadline = deadline_from_now(patience);
  auto seen = activity_of(pid);
  while (!both_sleep(pid)) {
    const MonoTime now = connection_->clock().now();
    if (now >= deadline) return Error{Code::kDeadlineExceeded, "the focused application is still busy after its keys"};
    RETURN_IF_ERROR(checkpoint());
    const auto activity = activity_of(pid);
    if (!activity) return Error{Code::kNotFound, "the focused application ended while text was typed"};
    if (activity != seen) deadline = deadline_from_now(patience);
    seen = activity;
    RETURN_IF_ERROR(damage_->wait_quiet(kBetweenChecks, std::min(deadline, now + kBetweenCheckpoints)));
  }
  return ok();
}

Result<void> KeyReceipt::await_answer(xcb_window_t window, const Patience& patience, const Checkpoint& checkpoint) {
  const Clock& clock = connection_->clock();
  const std::uint32_t number = ping(window);
  MonoTime deadline = deadline_from_now(patience);
  MonoTime next_check = clock.now() + kBetweenCheckpoints;
  for (;;) {
    ASSIGN_OR_RETURN(const EventPtr event, connection_->next_event(std::min(deadline, next_check)));
    if (event && event_type(*event) == XCB_CLIENT_MESSAGE) {
      const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(*event);
      const auto& data = message.data.data32;
      const bool answer = message.type == atoms_.protocols && data[0] == atoms_.ping;
      if (answer && data[1] == number) return ok();
      // The answer to an earlier ping of mark().
      if (answer && data[1] > kFirstPing && data[2] == window) deadline = deadline_from_now(patience);
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
               "it is unknown whether the focused application has read its keys: it answers no ping and the screen "
               "keeps changing"};
}

}  // namespace da::actuator::x11
