#include "services/actuator/desktop/x11/atspi/bus/atspi_applications.h"

#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"

namespace da::actuator::x11 {

AccessibleRef desktop_root() { return {"org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"}; }

Result<void> AtspiApplications::learn_pids(AtspiBus& bus, const std::vector<AccessibleRef>& roots, MonoTime deadline) {
  const AccessibleRef daemon{"org.freedesktop.DBus", "/org/freedesktop/DBus"};
  CallBatch batch(bus);
  for (const AccessibleRef& root : roots) {
    if (pids_.contains(root.bus)) continue;
    batch.add(daemon,
              {"org.freedesktop.DBus", "GetConnectionUnixProcessID",
               [&root](sd_bus_message* m) { (void)sd_bus_message_append(m, "s", root.bus.c_str()); }},
              [this, &root](sd_bus_message* m) {
                std::uint32_t pid = 0;
                if (m != nullptr && sd_bus_message_read(m, "u", &pid) > 0) pids_[root.bus] = pid;
              });
  }
  return batch.run(deadline, kSilenceLimit);
}

Result<std::vector<AtspiApplication>> AtspiApplications::list(AtspiBus& bus, MonoTime deadline) {
  std::vector<AccessibleRef> roots;
  CallBatch batch(bus);
  batch.add(desktop_root(), {kAccessible, "GetChildren"}, [&roots](sd_bus_message* m) {
    if (m != nullptr) roots = read_refs(m);
  });
  RETURN_IF_ERROR(batch.run(deadline, kSilenceLimit));
  RETURN_IF_ERROR(learn_pids(bus, roots, deadline));
  std::vector<AtspiApplication> found;
  for (const AccessibleRef& root : roots)
    if (const auto pid = pids_.find(root.bus); pid != pids_.end()) found.push_back({root, pid->second});
  return found;
}

Result<std::uint32_t> AtspiApplications::pid_of(AtspiBus& bus, const std::string& bus_name, MonoTime deadline) {
  RETURN_IF_ERROR(learn_pids(bus, {{bus_name, ""}}, deadline));
  const auto known = pids_.find(bus_name);
  return known == pids_.end() ? 0 : known->second;
}

std::vector<std::string> AtspiApplications::known_of(std::uint32_t pid) const {
  std::vector<std::string> names;
  for (const auto& [bus_name, owner] : pids_)
    if (owner == pid) names.push_back(bus_name);
  return names;
}

}  // namespace da::actuator::x11
