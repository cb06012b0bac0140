#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>

namespace da::actuator::x11 {
namespace {

constexpr const char* kObjectEvents = "org.a11y.atspi.Event.Object";
constexpr std::uint64_t kBusTimeoutUs = 3'000'000;
constexpr std::uint64_t kCallTimeoutUs = 60'000'000;  // Longer than any batch's deadline.
constexpr std::uint64_t kRegistryTimeoutUs = 500'000;
// Longer than the pauses within a step, shorter than those of a person who begins to type.
constexpr Milliseconds kRestsAfter{300};

Error bus_error(std::string_view attempted, int negative_errno) {
  Error error = posix_error(attempted, -negative_errno);
  error.code = negative_errno == -ETIMEDOUT ? Code::kDeadlineExceeded : Code::kUnavailable;
  return error;
}

Result<std::string> accessibility_address() {
  sd_bus* raw = nullptr;
  if (const int failed = sd_bus_open_user(&raw); failed < 0) return bus_error("connect to the session bus", failed);
  const UniqueBus session(raw);
  sd_bus_set_method_call_timeout(raw, kBusTimeoutUs);
  sd_bus_message* reply = nullptr;
  const int called =
      sd_bus_call_method(raw, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nullptr, &reply, "");
  const UniqueMessage owned(reply);
  if (called < 0) return bus_error("ask for the accessibility bus (is at-spi2-core installed?)", called);
  const char* address = nullptr;
  if (const int read = sd_bus_message_read(reply, "s", &address); read < 0)
    return bus_error("read the address of the accessibility bus", read);
  // Qt and others build their trees only while this property is set.
  (void)sd_bus_set_property(raw, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status", "IsEnabled", nullptr, "b", 1);
  return std::string(address);
}

// Old registries take the event alone, newer ones also properties and an application. The registry tells applications
// before it answers, so that what they are asked after the last answer finds them prepared.
void register_for_events(sd_bus* bus) {
  constexpr const char* kRegistry = "org.a11y.atspi.Registry";
  constexpr auto kEvents =
      std::to_array({"object:children-changed", "object:state-changed", "object:property-change:accessible-name",
                     "object:active-descendant-changed"});
  for (const char* event : kEvents) {
    sd_bus_message* raw = nullptr;
    if (sd_bus_message_new_method_call(bus, &raw, kRegistry, "/org/a11y/atspi/registry", kRegistry, "RegisterEvent") <
        0)
      return;
    const UniqueMessage call(raw);
    (void)sd_bus_message_append(raw, "sass", event, 0, "");
    if (event == kEvents.back()) {
      (void)sd_bus_call(bus, raw, kRegistryTimeoutUs, nullptr, nullptr);
    } else {
      (void)sd_bus_call_async(
          bus, nullptr, raw, [](sd_bus_message*, void*, sd_bus_error*) { return 0; }, nullptr, 0);
    }
  }
}

// The path of the object that this event reports as focused; empty for other events. An event has a word, two numbers
// and a variant; for ActiveDescendantChanged the variant is a bus name and a path.
std::string newly_focused(sd_bus_message* event) {
  const char* word = nullptr;
  std::int32_t number = 0;
  std::int32_t ignored = 0;
  if (sd_bus_message_read(event, "sii", &word, &number, &ignored) <= 0) return {};
  if (sd_bus_message_is_signal(event, kObjectEvents, "StateChanged") > 0) {
    return std::string_view(word) == "focused" && number == 1 ? sd_bus_message_get_path(event) : "";
  }
  const char* bus = nullptr;
  const char* path = nullptr;
  const bool has_descendant = sd_bus_message_is_signal(event, kObjectEvents, "ActiveDescendantChanged") > 0 &&
                              sd_bus_message_read(event, "v", "(so)", &bus, &path) > 0;
  return has_descendant && std::string_view(bus) == sd_bus_message_get_sender(event) ? path : "";
}

}  // namespace

Result<std::unique_ptr<AtspiBus>> AtspiBus::open(const Clock& clock) {
  ASSIGN_OR_RETURN(std::string address, accessibility_address());
  std::unique_ptr<AtspiBus> bus(new AtspiBus(std::move(address), clock));
  RETURN_IF_ERROR(bus->start());
  return bus;
}

Result<void> AtspiBus::start() {
  sd_bus* raw = nullptr;
  if (const int failed = sd_bus_new(&raw); failed < 0) return bus_error("create a bus connection", failed);
  UniqueBus bus(raw);
  if (const int failed = sd_bus_set_address(raw, address_.c_str()); failed < 0)
    return bus_error("use the accessibility bus's address", failed);
  sd_bus_set_bus_client(raw, 1);
  sd_bus_set_method_call_timeout(raw, kBusTimeoutUs);
  if (const int failed = sd_bus_start(raw); failed < 0) return bus_error("connect to the accessibility bus", failed);
  if (const int failed = sd_bus_get_bus_id(raw, &bus_id_); failed < 0)
    return bus_error("connect to the accessibility bus", failed);
  bus_ = std::move(bus);
  listening_ = false;
  used();
  return ok();
}

AtspiBus::~AtspiBus() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(using_);
    ending_ = true;
  }
  wake_thread();
  thread_.join();
}

Result<void> AtspiBus::stay_open() {
  if (bus_) {
    if (sd_bus_is_open(bus_.get()) > 0) return ok();
    return Error{Code::kUnavailable, "the connection to the accessibility bus is lost"};
  }
  const sd_id128_t known = bus_id_;
  RETURN_IF_ERROR(start());
  if (sd_id128_equal(known, bus_id_) == 0) return Error{Code::kUnavailable, "the accessibility bus was started again"};
  // Events of the meantime are unknown.
  forgotten_ = ++events_;
  for (auto& [bus_name, reported] : reported_) reported.last_event = events_;
  return ok();
}

// The bus sees the end only after the thread has stopped polling the connection.
void AtspiBus::rest() {
  bus_.reset();
  listening_ = false;
  wake_thread();
}

void AtspiBus::wake_thread() {
  if (wake_) ::eventfd_write(wake_.get(), 1);
}

// If the bus rejects the match rule, only drawing reveals changes.
Result<void> AtspiBus::listen() {
  if (listening_) return ok();
  (void)sd_bus_add_match(bus_.get(), nullptr, "type='signal',interface='org.a11y.atspi.Event.Object'", on_event, this);
  register_for_events(bus_.get());
  listening_ = true;
  if (!thread_.joinable()) return start_thread();
  wake_thread();
  return ok();
}

Result<void> AtspiBus::start_thread() {
  wake_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) return posix_error("create the signal of the accessibility bus", errno);
  thread_ = std::thread([this] { take_events(); });
  ::pthread_setname_np(thread_.native_handle(), "a11y-events");
  return ok();
}

int AtspiBus::on_event(sd_bus_message* event, void* bus, sd_bus_error* /*error*/) {
  constexpr std::size_t kMostApplications = 1'000;
  constexpr std::size_t kMostFocused = 8;
  auto& self = *static_cast<AtspiBus*>(bus);
  const char* const sender = sd_bus_message_get_sender(event);
  if (sender == nullptr) return 0;
  ++self.events_;
  if (self.reported_.size() > kMostApplications) {
    self.reported_.clear();
    self.forgotten_ = self.events_;
  }
  Reported& reported = self.reported_[sender];
  reported.last_event = self.events_;
  if (std::string path = newly_focused(event); !path.empty()) {
    std::erase(reported.focus, path);
    reported.focus.push_front(std::move(path));
    if (reported.focus.size() > kMostFocused) reported.focus.pop_back();
  }
  return 0;
}

std::uint64_t AtspiBus::last_event_of(const std::string& bus_name) const {
  const auto found = reported_.find(bus_name);
  return found == reported_.end() ? forgotten_ : found->second.last_event;
}

std::vector<AccessibleRef> AtspiBus::reported_focus_of(const std::string& bus_name) const {
  std::vector<AccessibleRef> refs;
  if (const auto found = reported_.find(bus_name); found != reported_.end())
    for (const std::string& path : found->second.focus) refs.push_back({bus_name, path});
  return refs;
}

// Without this thread, the bus daemon would queue events until the next call.
void AtspiBus::take_events() {
  std::unique_lock lock(using_);
  while (!ending_) {
    const int fd = bus_ ? sd_bus_get_fd(bus_.get()) : -1;
    const auto until_rest = std::chrono::ceil<Milliseconds>(last_used_ + kRestsAfter - clock_.now());
    std::array<pollfd, 2> waited{pollfd{fd, POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
    lock.unlock();
    const int timeout_ms = fd < 0 ? -1 : static_cast<int>(std::max(until_rest, Milliseconds(0)).count());
    if (::poll(waited.data(), waited.size(), timeout_ms) < 0 && errno != EINTR) return;
    lock.lock();
    eventfd_t count = 0;
    if (waited[1].revents != 0) (void)::eventfd_read(wake_.get(), &count);
    int processed = bus_ ? 1 : 0;
    while (processed > 0) processed = sd_bus_process(bus_.get(), nullptr);
    if (processed < 0) return;
    if (bus_ && clock_.now() - last_used_ >= kRestsAfter) rest();
  }
}

UniqueMessage new_call(sd_bus* bus, const AccessibleRef& object, const Call& call) {
  sd_bus_message* raw = nullptr;
  if (sd_bus_message_new_method_call(bus, &raw, object.bus.c_str(), object.path.c_str(), call.interface, call.member) <
      0)
    return nullptr;
  UniqueMessage message(raw);
  if (call.arguments) call.arguments(raw);
  return message;
}

Result<UniqueMessage> AtspiBus::call(const AccessibleRef& object, const Call& call, MonoTime deadline) {
  const UniqueMessage message = new_call(get(), object, call);
  if (!message) return Error{Code::kInvalidArgument, "not an accessible object: " + object.path};
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline - clock_.now()).count();
  sd_bus_error failure = SD_BUS_ERROR_NULL;
  sd_bus_message* raw = nullptr;
  const int called =
      sd_bus_call(get(), message.get(), static_cast<std::uint64_t>(std::max<std::int64_t>(left, 1)), &failure, &raw);
  UniqueMessage reply(raw);
  used();
  // The bus sends "no reply" for a program that has ended. A timeout of our own has another name.
  const bool gone = sd_bus_error_has_name(&failure, SD_BUS_ERROR_NO_REPLY) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_UNKNOWN_OBJECT) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_UNKNOWN_METHOD) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_UNKNOWN_INTERFACE) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_NAME_HAS_NO_OWNER) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_SERVICE_UNKNOWN) != 0;
  const bool unsupported = sd_bus_error_has_name(&failure, SD_BUS_ERROR_NOT_SUPPORTED) != 0;
  sd_bus_error_free(&failure);
  if (called >= 0) return reply;
  if (unsupported) {
    return Error{Code::kUnimplemented,
                 std::string("the application does not support ") + call.member + " of its elements"};
  }
  if (gone) return Error{Code::kNotFound, std::string(call.member) + ": the element is gone"};
  return bus_error(std::string("call ") + call.member + " of an element", called);
}

int CallBatch::on_reply(sd_bus_message* reply, void* pending, sd_bus_error* /*error*/) {
  auto& one = *static_cast<Pending*>(pending);
  one.batch->heard_ = true;
  --one.batch->waiting_;
  one.answer(sd_bus_message_is_method_error(reply, nullptr) > 0 ? nullptr : reply);
  return 0;
}

void CallBatch::add(const AccessibleRef& object, const Call& call, Answer answer) {
  const UniqueMessage message = new_call(bus_.get(), object, call);
  if (!message) return answer(nullptr);
  Pending& one = pending_.emplace_back(Pending{this, std::move(answer), nullptr});
  sd_bus_slot* slot = nullptr;
  if (sd_bus_call_async(bus_.get(), &slot, message.get(), on_reply, &one, kCallTimeoutUs) < 0)
    return one.answer(nullptr);
  one.slot.reset(slot);
  ++waiting_;
}

Result<void> CallBatch::run(MonoTime deadline, Milliseconds silence_limit) {
  bus_.used();
  MonoTime last_heard = bus_.clock().now();
  while (waiting_ > 0) {
    const int processed = sd_bus_process(bus_.get(), nullptr);
    if (processed < 0) return bus_error("read from the accessibility bus", processed);
    const MonoTime now = bus_.clock().now();
    if (std::exchange(heard_, false)) last_heard = now;
    const MonoTime end = std::min(deadline, last_heard + silence_limit);
    if (now >= end) return Error{Code::kDeadlineExceeded, "an application does not answer on the accessibility bus"};
    if (processed > 0) continue;
    const auto left = std::chrono::ceil<std::chrono::microseconds>(end - now).count();
    if (const int waited = sd_bus_wait(bus_.get(), static_cast<std::uint64_t>(left)); waited < 0 && waited != -EINTR)
      return bus_error("wait for the accessibility bus", waited);
  }
  pending_.clear();
  bus_.used();
  return ok();
}

}  // namespace da::actuator::x11
