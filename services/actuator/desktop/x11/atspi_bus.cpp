#include "services/actuator/desktop/x11/atspi_bus.h"

#include <algorithm>

namespace da::actuator::x11 {
namespace {

constexpr std::uint64_t kBusTimeoutUs = 3'000'000;
constexpr std::uint64_t kCallTimeoutUs = 60'000'000;  // The batch's own deadline is what counts.

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
  // Qt and others build their trees only when this says that somebody will read them.
  (void)sd_bus_set_property(raw, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status", "IsEnabled", nullptr, "b", 1);
  return std::string(address);
}

// Old registries take the event alone, newer ones also properties and an application.
void register_for_events(sd_bus* bus) {
  constexpr const char* kRegistry = "org.a11y.atspi.Registry";
  for (const char* event : {"object:children-changed", "object:state-changed:focused"}) {
    (void)sd_bus_call_method_async(
        bus, nullptr, kRegistry, "/org/a11y/atspi/registry", kRegistry, "RegisterEvent",
        [](sd_bus_message*, void*, sd_bus_error*) { return 0; }, nullptr, "sass", event, 0, "");
  }
}

}  // namespace

Result<std::unique_ptr<AtspiBus>> AtspiBus::open(const Clock& clock) {
  ASSIGN_OR_RETURN(const std::string address, accessibility_address());
  sd_bus* raw = nullptr;
  if (const int failed = sd_bus_new(&raw); failed < 0) return bus_error("create a bus connection", failed);
  UniqueBus bus(raw);
  if (const int failed = sd_bus_set_address(raw, address.c_str()); failed < 0)
    return bus_error("use the accessibility bus's address", failed);
  sd_bus_set_bus_client(raw, 1);
  sd_bus_set_method_call_timeout(raw, kBusTimeoutUs);
  if (const int failed = sd_bus_start(raw); failed < 0) return bus_error("connect to the accessibility bus", failed);
  register_for_events(raw);
  return std::unique_ptr<AtspiBus>(new AtspiBus(std::move(bus), clock));
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
  const bool gone = sd_bus_error_has_name(&failure, SD_BUS_ERROR_UNKNOWN_OBJECT) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_UNKNOWN_METHOD) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_UNKNOWN_INTERFACE) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_NAME_HAS_NO_OWNER) != 0 ||
                    sd_bus_error_has_name(&failure, SD_BUS_ERROR_SERVICE_UNKNOWN) != 0;
  sd_bus_error_free(&failure);
  if (called >= 0) return reply;
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

Result<void> CallBatch::run(MonoTime deadline, Milliseconds patience) {
  MonoTime last_heard = bus_.clock().now();
  while (waiting_ > 0) {
    const int processed = sd_bus_process(bus_.get(), nullptr);
    if (processed < 0) return bus_error("read from the accessibility bus", processed);
    const MonoTime now = bus_.clock().now();
    if (std::exchange(heard_, false)) last_heard = now;
    const MonoTime end = std::min(deadline, last_heard + patience);
    if (now >= end) return Error{Code::kDeadlineExceeded, "an application does not answer on the accessibility bus"};
    if (processed > 0) continue;
    const auto left = std::chrono::ceil<std::chrono::microseconds>(end - now).count();
    if (const int waited = sd_bus_wait(bus_.get(), static_cast<std::uint64_t>(left)); waited < 0 && waited != -EINTR)
      return bus_error("wait for the accessibility bus", waited);
  }
  pending_.clear();
  return ok();
}

}  // namespace da::actuator::x11
