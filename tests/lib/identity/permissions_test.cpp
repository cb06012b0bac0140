#include "lib/identity/permissions.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "da/v1/actuator_rpc.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "da/v1/recorder_rpc.pb.h"
#include "da/v1/service_rpc.pb.h"

namespace da::identity {
namespace {

using enum Role;

// gRPC's method names, found by reflection.
std::set<std::string> all_methods() {
  std::set<std::string> methods;
  for (const google::protobuf::FileDescriptor* file :
       {v1::PrepareRequest::descriptor()->file(), v1::ObserveRequest::descriptor()->file(),
        v1::StartTaskRequest::descriptor()->file(), v1::SubmitRequest::descriptor()->file(),
        v1::FindRecordingRequest::descriptor()->file(), v1::DescribeRequest::descriptor()->file()}) {
    for (int i = 0; i < file->service_count(); ++i) {
      const google::protobuf::ServiceDescriptor* service = file->service(i);
      for (int k = 0; k < service->method_count(); ++k) {
        methods.insert("/" + service->full_name() + "/" + service->method(k)->name());
      }
    }
  }
  return methods;
}

TEST(Permissions, EachMethodHasExactlyOneRow) {
  std::set<std::string> listed;
  for (const MethodRow& row : method_rows()) {
    EXPECT_TRUE(listed.insert(std::string(row.method)).second) << row.method << " is listed twice";
  }
  EXPECT_EQ(listed, all_methods());
}

// A second copy of the design's table: a change of permissions must change both.
TEST(Permissions, EachRoleMayCallExactlyTheDesignedMethods) {
  const std::map<std::string, std::set<Role>> designed = {
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
      {"/da.v1.ServiceInfo/FetchFacts", {kConsole, kRecorder}},
  };
  for (const std::string& method : all_methods()) {
    ASSERT_TRUE(designed.contains(method)) << method;
    for (const Role role : kRoles) {
      EXPECT_EQ(may_call(role, method), designed.at(method).contains(role)) << to_string(role) << " " << method;
    }
  }
}

TEST(Permissions, PlannerMayNotCallActuator) {
  for (const std::string& method : all_methods()) {
    EXPECT_FALSE(method.starts_with("/da.v1.Actuator/") && may_call(kPlanner, method)) << method;
  }
  EXPECT_FALSE(may_reach(kPlanner, kActuator));
  EXPECT_FALSE(may_communicate(kPlanner, kActuator));
}

TEST(Permissions, UnknownMethodsAreDenied) {
  for (const char* method :
       {"", "/", "/da.v1.Policy/", "/da.v1.Policy/Submit ", "/da.v1.Policy/submit", "Policy/Submit",
        "/da.v1.Policy/Submit/", "/da.v1.Policy//Submit", "/da.v2.Policy/Submit", "/grpc.health.v1.Health/Check",
        "/grpc.reflection.v1alpha.ServerReflection/"
        "ServerReflectionInfo"}) {
    for (const Role role : kRoles) EXPECT_FALSE(may_call(role, method)) << to_string(role) << " " << method;
  }
  EXPECT_FALSE(may_call(kPlanner, std::string_view("/da.v1.Policy/Submit\0", 21)));
}

TEST(Permissions, EachRoleMayReadExactlyTheDesignedFacts) {
  std::set<std::pair<Role, bool>> listed;
  for (const BusRow& row : bus_rows()) EXPECT_TRUE(listed.insert({row.writer, row.images}).second);
  EXPECT_EQ(listed.size(), kRoles.size() * 2);
  for (const Role reader : kRoles) {
    for (const Role writer : kRoles) {
      const bool reads = reader == kConsole || reader == kRecorder;
      EXPECT_EQ(may_subscribe(reader, writer, false), reads && writer != kConsole && writer != kRecorder);
      EXPECT_EQ(may_subscribe(reader, writer, true), reads && writer == kObserver);
    }
  }
}

TEST(Permissions, MayCommunicateIsSymmetricAndAsDesigned) {
  const std::map<Role, std::set<Role>> designed = {{kObserver, {kActuator, kPlanner, kConsole, kRecorder}},
                                                   {kPlanner, {kObserver, kPolicy, kConsole, kRecorder}},
                                                   {kPolicy, {kActuator, kPlanner, kConsole, kRecorder}},
                                                   {kActuator, {kObserver, kPolicy, kConsole, kRecorder}},
                                                   {kConsole, {kObserver, kPlanner, kPolicy, kActuator, kRecorder}},
                                                   {kRecorder, {kObserver, kPlanner, kPolicy, kActuator, kConsole}}};
  for (const Role one : kRoles) {
    for (const Role other : kRoles) {
      EXPECT_EQ(may_communicate(one, other), designed.at(one).contains(other));
      EXPECT_EQ(may_communicate(one, other), may_communicate(other, one));
    }
  }
}

TEST(Role, ParseInvertsToStringAndRefusesOtherNames) {
  for (const Role role : kRoles) EXPECT_EQ(parse_role(to_string(role)).value(), role);
  for (const char* text : {"", "Policy", "policy ", "polic", "recorders"}) EXPECT_FALSE(parse_role(text)) << text;
}

}  // namespace
}  // namespace da::identity
