// Permissions over real connections: every role and method, with valid, wrong, expired, revoked and no credentials.
#include <gmock/gmock.h>
#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <future>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "da/v1/observer_rpc.grpc.pb.h"
#include "da/v1/planner_rpc.grpc.pb.h"
#include "da/v1/policy_rpc.grpc.pb.h"
#include "da/v1/service_rpc.grpc.pb.h"
#include "lib/identity/permissions.h"
#include "lib/rpc/call.h"
#include "lib/rpc/process.h"
#include "lib/rpc/server.h"
#include "lib/rpc/tls.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

using identity::Role;
using std::chrono::hours;

// Describe answers, or waits until its caller goes away; other permitted methods are UNIMPLEMENTED.
class Info final : public v1::ServiceInfo::Service {
 public:
  grpc::Status Describe(grpc::ServerContext* context, const v1::DescribeRequest*, v1::ServiceDescription*) override {
    if (waits_) {
      entered_.set_value();
      while (!context->IsCancelled()) std::this_thread::yield();
    }
    return grpc::Status::OK;
  }
  std::atomic<bool> waits_ = false;
  std::promise<void> entered_;
};

// One server of role policy for the methods of all services.
class PermissionsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    prepare_process([](const char*) {});
  }

  // The status of a call that sends no message.
  grpc::Status call(const std::string& method, const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    grpc::GenericStub stub(grpc::CreateCustomChannel(address_, credentials, arguments));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    grpc::CompletionQueue queue;
    char tags[4];
    const auto stream = stub.PrepareCall(&context, method, &queue);
    stream->StartCall(&tags[0]);
    wait(queue);
    stream->WritesDone(&tags[1]);
    wait(queue);
    grpc::ByteBuffer reply;
    stream->Read(&reply, &tags[2]);
    wait(queue);
    grpc::Status status;
    stream->Finish(&status, &tags[3]);
    wait(queue);
    queue.Shutdown();
    return status;
  }
  static void wait(grpc::CompletionQueue& queue) {
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
  }
  std::shared_ptr<grpc::ChannelCredentials> as(Role role) { return tls_to(Role::kPolicy, deployment_.of(role)); }
  // Credentials of this identity, to connect to the policy.
  std::shared_ptr<grpc::ChannelCredentials> with(const identity::Identity& own) {
    return tls_to(Role::kPolicy, {std::make_shared<const identity::Identity>(own),
                                  std::make_shared<identity::KnownPeers>(deployment_.list())});
  }
  std::string first_accepted_method(const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    for (const identity::MethodRow& row : identity::method_rows()) {
      const auto code = call(std::string(row.method), credentials).error_code();
      if (code != grpc::StatusCode::UNAVAILABLE && code != grpc::StatusCode::UNAUTHENTICATED) {
        return std::string(row.method);
      }
    }
    return "";
  }

  da::test::Deployment deployment_;
  const da::test::TempDir dir_;
  const std::string address_ = da::test::rpc_address(dir_.path(), "s");
  v1::Actuator::Service actuator_;
  v1::Observer::Service observer_;
  v1::Planner::Service planner_;
  v1::Policy::Service policy_;
  Info info_;
  std::unique_ptr<Server> server_ =
      *Server::listen(address_, {&actuator_, &observer_, &planner_, &policy_, &info_}, deployment_.of(Role::kPolicy));
};

TEST_F(PermissionsTest, EachRoleMayCallOnlyPermittedMethods) {
  int allowed = 0;
  for (const Role role : identity::kRoles) {
    for (const identity::MethodRow& row : identity::method_rows()) {
      const auto status = call(std::string(row.method), as(role));
      const bool may = row.callers.has(role);
      allowed += may ? 1 : 0;
      EXPECT_EQ(status.error_code() == grpc::StatusCode::PERMISSION_DENIED, !may)
          << to_string(role) << " " << row.method << ": " << status.error_code() << " " << status.error_message();
      EXPECT_NE(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << to_string(role) << " " << row.method;
      EXPECT_NE(status.error_code(), grpc::StatusCode::UNAVAILABLE) << status.error_message();
    }
    EXPECT_EQ(call("/da.v1.Policy/NoSuchMethod", as(role)).error_code(), grpc::StatusCode::PERMISSION_DENIED);
    EXPECT_EQ(call("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", as(role)).error_code(),
              grpc::StatusCode::PERMISSION_DENIED);
  }
  EXPECT_GT(allowed, 20);
}

TEST_F(PermissionsTest, RevokedPeerIsRejected) {
  for (const Role role : identity::kRoles) {
    if (role != Role::kPolicy) deployment_.revoke(role);
  }
  for (const Role role : identity::kRoles) {
    if (role == Role::kPolicy) continue;
    for (const identity::MethodRow& row : identity::method_rows()) {
      EXPECT_EQ(call(std::string(row.method), as(role)).error_code(), grpc::StatusCode::UNAUTHENTICATED)
          << to_string(role) << " " << row.method;
    }
  }
}

TEST_F(PermissionsTest, ExpiredAndFutureCertificatesAreRejected) {
  const WallTime now = system_clock().wall_now();
  const auto expired = deployment_.authority().issue(Role::kConsole, "console@test", {now - hours(48), hours(24)});
  const auto future = deployment_.authority().issue(Role::kConsole, "console@test", {now + hours(2), hours(4)});
  ASSERT_TRUE(expired && future);
  EXPECT_EQ(first_accepted_method(with(*expired)), "");
  EXPECT_EQ(first_accepted_method(with(*future)), "");
}

TEST_F(PermissionsTest, CertificateOfUnlistedPeerIsRejected) {
  const auto stranger =
      deployment_.authority().issue(Role::kConsole, "console@other", {system_clock().wall_now(), hours(24)});
  ASSERT_TRUE(stranger);
  EXPECT_EQ(first_accepted_method(with(*stranger)), "");
}

TEST_F(PermissionsTest, CertificatesOfAnotherCaAreRejected) {
  const da::test::Deployment other;
  for (const Role role : identity::kRoles) EXPECT_EQ(first_accepted_method(with(*other.of(role).own)), "");
}

TEST_F(PermissionsTest, CallerWithoutCertificateIsRejected) {
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = deployment_.list().ca_pem;
  EXPECT_EQ(first_accepted_method(grpc::SslCredentials(options)), "");
  EXPECT_EQ(first_accepted_method(grpc::InsecureChannelCredentials()), "");
}

TEST_F(PermissionsTest, ClientRejectsServerOfOtherRoleOrRevokedServer) {
  const auto wrong = call("/da.v1.Policy/Halt", tls_to(Role::kActuator, deployment_.of(Role::kConsole)));
  EXPECT_EQ(wrong.error_code(), grpc::StatusCode::UNAVAILABLE);
  deployment_.revoke(Role::kPolicy);
  EXPECT_EQ(call("/da.v1.Policy/Halt", as(Role::kConsole)).error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(PermissionsTest, OnlyHaltIsAllowedWhilePeersFileIsUnreadable) {
  deployment_.known().set_unread("too many open files");
  for (const identity::MethodRow& row : identity::method_rows()) {
    if (!row.callers.has(Role::kConsole)) continue;
    const auto status = call(std::string(row.method), as(Role::kConsole));
    const bool refused = status.error_message().find("too many open files") != std::string::npos;
    EXPECT_EQ(refused, !row.method.ends_with("/Halt")) << row.method << ": " << status.error_message();
  }
  deployment_.revoke(Role::kPlanner);  // Also makes the peers readable again.
  EXPECT_NE(call("/da.v1.Policy/Lock", as(Role::kConsole)).error_code(), grpc::StatusCode::UNAVAILABLE);
}

// The handshake of the connection succeeded before the certificate expired.
TEST_F(PermissionsTest, CallsOnOpenConnectionFailAfterCertificateExpires) {
  const Client<v1::ServiceInfo> console(Channel(Role::kPolicy, address_, deployment_.of(Role::kConsole)));
  const auto describe = [&] {
    return console.call("Describe", &v1::ServiceInfo::Stub::Describe, v1::DescribeRequest(), Milliseconds(10'000));
  };
  ASSERT_TRUE(describe());
  deployment_.expire(Role::kConsole);
  const auto refused = describe();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("has expired"), std::string::npos) << refused.error().message;
}

class EndsCalls : public PermissionsTest, public testing::WithParamInterface<bool> {};

TEST_P(EndsCalls, WhenCallerIsRevokedOrExpired) {
  info_.waits_ = true;
  const Client<v1::ServiceInfo> console(Channel(Role::kPolicy, address_, deployment_.of(Role::kConsole)));
  auto answer = std::async(std::launch::async, [&] {
    return console.call("Describe", &v1::ServiceInfo::Stub::Describe, v1::DescribeRequest(), Milliseconds(20'000));
  });
  info_.entered_.get_future().wait();
  deployment_.revoke(Role::kPlanner);
  EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  GetParam() ? deployment_.revoke(Role::kConsole) : deployment_.expire(Role::kConsole);
  const auto ended = answer.get();
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().code, Code::kDeadlineExceeded);
}

INSTANTIATE_TEST_SUITE_P(PermissionsTest, EndsCalls, testing::Bool(),
                         [](const auto& test) { return test.param ? "Revoked" : "Expired"; });

}  // namespace
}  // namespace da::rpc
