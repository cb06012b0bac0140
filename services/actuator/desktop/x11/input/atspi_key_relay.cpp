#include "services/actuator/desktop/x11/input/atspi_key_relay.h"

#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kReconnectInterval{10'000};  // A hanging session bus blocks each attempt to connect.
const Call kGetRole{kAccessible, "GetRole"};

AccessibleRef root_of(const std::string& bus_name) { return {bus_name, desktop_root().path}; }

}  // namespace

bool AtspiKeyRelay::connect() {
  if (bus_ && bus_->stay_open()) return true;
  if (clock_.now() < next_try_) return false;
  next_try_ = clock_.now() + kReconnectInterval;
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
  ASSIGN_OR_RETURN(const auto reply, bus_->call(root_of(bus_name), property_of(kApplication, "ToolkitName"), deadline));
  return relays_[bus_name] = read_string_property(reply.get()) == "Qt";
}

// Qt answers calls on the thread that handles keys, and the bus keeps the order of messages between two processes. So
// the first answer shows that the keys are on the bus, the registry's answer that it has answered them, and the second
// one that the application has received that. It then queues the keys behind its pending work; the third answer comes
// after that work.
Result<void> AtspiKeyRelay::await_relay(const std::string& bus_name, MonoTime deadline) {
  RETURN_IF_ERROR(bus_->call(root_of(bus_name), kGetRole, deadline));
  RETURN_IF_ERROR(bus_->call(desktop_root(), {"org.freedesktop.DBus.Peer", "Ping"}, deadline));
  RETURN_IF_ERROR(bus_->call(root_of(bus_name), kGetRole, deadline));
  RETURN_IF_ERROR(bus_->call(root_of(bus_name), kGetRole, deadline));
  return ok();
}

std::vector<std::string> AtspiKeyRelay::relaying(std::uint32_t pid, MonoTime deadline) {
  if (pid == 0 || !connect()) return {};
  auto names = applications_of(pid, deadline);
  if (!names) return {};
  std::erase_if(*names, [&](const std::string& name) {
    const auto relays = relays_keys(name, deadline);
    return !relays || !*relays;
  });
  return *std::move(names);
}

bool AtspiKeyRelay::acts_later(std::uint32_t pid, MonoTime deadline) { return !relaying(pid, deadline).empty(); }

void AtspiKeyRelay::await_answer(std::uint32_t pid, MonoTime deadline) {
  for (const std::string& name : relaying(pid, deadline)) (void)bus_->call(root_of(name), kGetRole, deadline);
}

void AtspiKeyRelay::await_action(std::uint32_t pid, MonoTime deadline) {
  for (const std::string& name : relaying(pid, deadline)) (void)await_relay(name, deadline);
}

}  // namespace da::actuator::x11
