#include "services/actuator/desktop/x11/atspi_key_relay.h"

#include "services/actuator/desktop/x11/atspi_message.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kBetweenTries{10'000};  // To connect; a try may wait for a session bus that hangs.
constexpr const char* kAccessible = "org.a11y.atspi.Accessible";

AccessibleRef root_of(const std::string& bus_name) { return {bus_name, desktop_root().path}; }

}  // namespace

bool AtspiKeyRelay::connect() {
  if (bus_ && bus_->open_still()) return true;
  if (clock_.now() < next_try_) return false;
  next_try_ = clock_.now() + kBetweenTries;
  applications_ = {};
  relays_.clear();
  auto bus = AtspiBus::open(clock_);
  bus_ = bus ? *std::move(bus) : nullptr;
  return bus_ != nullptr;
}

Result<std::vector<std::string>> AtspiKeyRelay::applications_of(std::uint32_t pid, MonoTime deadline) {
  auto known = applications_.known_of(pid);
  if (!known.empty()) return known;
  RETURN_IF_ERROR(applications_.list(*bus_, deadline));
  return applications_.known_of(pid);
}

Result<bool> AtspiKeyRelay::relays_keys(const std::string& bus_name, MonoTime deadline) {
  if (const auto known = relays_.find(bus_name); known != relays_.end()) return known->second;
  ASSIGN_OR_RETURN(const auto reply, bus_->call(root_of(bus_name),
                                                property_of("org.a11y.atspi.Application", "ToolkitName"), deadline));
  return relays_[bus_name] = read_string_property(reply.get()) == "Qt";
}

// Qt answers calls on its objects in the thread that handles keys, and the bus keeps the order of all that one process
// sends to another. So the first answer shows that the keys are on their way to the registry, the registry's that it
// has answered them, and the application's second that it has been told. It then puts the keys behind what it has to do
// already, which is done when it answers for the third time.
Result<void> AtspiKeyRelay::await_relay(const std::string& bus_name, MonoTime deadline) {
  const Call ask{kAccessible, "GetRole"};
  RETURN_IF_ERROR(bus_->call(root_of(bus_name), ask, deadline));
  RETURN_IF_ERROR(bus_->call(desktop_root(), {"org.freedesktop.DBus.Peer", "Ping"}, deadline));
  RETURN_IF_ERROR(bus_->call(root_of(bus_name), ask, deadline));
  RETURN_IF_ERROR(bus_->call(root_of(bus_name), ask, deadline));
  return ok();
}

void AtspiKeyRelay::await(std::uint32_t pid, MonoTime deadline) {
  if (pid == 0 || !connect()) return;
  const auto names = applications_of(pid, deadline);
  if (!names) return;
  for (const std::string& name : *names) {
    const auto relays = relays_keys(name, deadline);
    if (relays && *relays) (void)await_relay(name, deadline);
  }
}

}  // namespace da::actuator::x11
