#include "lib/identity/permissions.h"

#include <algorithm>

namespace da::identity {
namespace {

using enum Role;

constexpr MethodRow kMethods[] = {
    // The only methods that act on the desktop. The planner has none of them.
    {"/da.v1.Actuator/Act", {kPolicy}},
    {"/da.v1.Actuator/Heartbeat", {kPolicy}},
    {"/da.v1.Actuator/Resume", {kPolicy}},
    {"/da.v1.Actuator/Halt", {kConsole, kPolicy}},
    {"/da.v1.Actuator/Pause", {kConsole, kPolicy}},
    {"/da.v1.Actuator/AwaitChange", {kObserver}},
    {"/da.v1.Actuator/Frames", {kObserver}},
    {"/da.v1.Actuator/ReadUiTree", {kObserver}},
    {"/da.v1.Actuator/ReadElement", {kObserver}},
    {"/da.v1.Actuator/ReadTextPlaces", {kObserver}},

    {"/da.v1.Observer/Analyze", {kPlanner, kConsole}},
    {"/da.v1.Observer/Observe", {kPlanner, kConsole}},
    {"/da.v1.Observer/Locate", {kPlanner, kConsole}},
    {"/da.v1.Observer/ReadImage", {kPlanner}},
    {"/da.v1.Observer/ReadUi", {kPlanner, kConsole}},
    {"/da.v1.Observer/Zoom", {kPlanner}},

    {"/da.v1.Planner/ChoosePlanner", {kConsole}},
    {"/da.v1.Planner/StartTask", {kConsole}},
    {"/da.v1.Planner/AwaitTask", {kConsole}},
    {"/da.v1.Planner/CancelTask", {kConsole}},
    {"/da.v1.Planner/RunCommand", {kConsole}},
    {"/da.v1.Planner/ListQuestions", {kConsole}},
    {"/da.v1.Planner/AnswerQuestion", {kConsole}},

    {"/da.v1.Policy/OpenTask", {kConsole}},
    {"/da.v1.Policy/CloseTask", {kPlanner, kConsole}},
    {"/da.v1.Policy/Submit", {kPlanner}},
    {"/da.v1.Policy/AwaitHalt", {kPlanner}},
    {"/da.v1.Policy/AwaitResume", {kPlanner}},
    {"/da.v1.Policy/Approve", {kConsole}},
    {"/da.v1.Policy/Deny", {kConsole}},
    {"/da.v1.Policy/Edit", {kConsole}},
    {"/da.v1.Policy/ListPending", {kConsole}},
    {"/da.v1.Policy/Unlock", {kConsole}},
    {"/da.v1.Policy/Lock", {kConsole}},
    {"/da.v1.Policy/Halt", {kConsole}},
    {"/da.v1.Policy/Pause", {kConsole}},
    {"/da.v1.Policy/Resume", {kConsole}},

    {"/da.v1.Policy/RenewRecording", {kRecorder}},

    {"/da.v1.Recorder/FindRecording", {kConsole}},

    {"/da.v1.ServiceInfo/Describe", {kConsole, kRecorder}},
    // The same facts as on the bus.
    {"/da.v1.ServiceInfo/FetchFacts", {kConsole, kRecorder}},
};

// Facts contain goals, plans and screen content, so only people and the recorder may read them.
constexpr BusRow kBus[] = {
    {kObserver, false, {kConsole, kRecorder}},
    {kObserver, true, {kConsole, kRecorder}},
    {kPlanner, false, {kConsole, kRecorder}},
    {kPlanner, true, {}},
    {kPolicy, false, {kConsole, kRecorder}},
    {kPolicy, true, {}},
    {kActuator, false, {kConsole, kRecorder}},
    {kActuator, true, {}},
    {kConsole, false, {}},
    {kConsole, true, {}},
    {kRecorder, false, {}},
    {kRecorder, true, {}},
};

std::string_view service_name(Role role) {
  switch (role) {
    case kObserver: return "/da.v1.Observer/";
    case kPlanner: return "/da.v1.Planner/";
    case kPolicy: return "/da.v1.Policy/";
    case kActuator: return "/da.v1.Actuator/";
    case kRecorder: return "/da.v1.Recorder/";
    case kConsole: break;
  }
  return "/da.v1.Console/";  // Serves nothing: no row begins like this.
}

}  // namespace

bool may_call(Role caller, std::string_view method) {
  const auto* row = std::ranges::find(kMethods, method, &MethodRow::method);
  return row != std::end(kMethods) && row->callers.has(caller);
}

bool may_subscribe(Role reader, Role writer, bool images) {
  return std::ranges::any_of(
      kBus, [&](const BusRow& row) { return row.writer == writer && row.images == images && row.readers.has(reader); });
}

bool may_reach(Role caller, Role service) {
  if (may_subscribe(caller, service, false)) return true;  // A reader may fetch facts that it missed.
  return std::ranges::any_of(kMethods, [&](const MethodRow& row) {
    return row.method.starts_with(service_name(service)) && row.callers.has(caller);
  });
}

bool may_communicate(Role one, Role other) {
  return may_reach(one, other) || may_reach(other, one) || may_subscribe(one, other, false) ||
         may_subscribe(other, one, false);
}

std::span<const MethodRow> method_rows() { return kMethods; }
std::span<const BusRow> bus_rows() { return kBus; }

}  // namespace da::identity
