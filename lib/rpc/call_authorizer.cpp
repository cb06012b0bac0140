#include "lib/rpc/call_authorizer.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/server_context.h>

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "lib/identity/permissions.h"
#include "lib/rpc/status.h"

namespace da::rpc {
namespace {

constexpr std::size_t kMostFingerprints = 256;
constexpr std::size_t kLongestMethod = 200;
// Halt of any service, such as "/da.v1.Policy/Halt".
constexpr std::string_view kHalt = "/Halt";

std::string certificate_of(const grpc::AuthContext& caller) {
  const auto found = caller.FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
  return found.size() == 1 ? std::string(found[0].data(), found[0].size()) : std::string();
}

class AuthProcessor final : public grpc::AuthMetadataProcessor {
 public:
  explicit AuthProcessor(std::shared_ptr<CallAuthorizer> authorizer) : authorizer_(std::move(authorizer)) {}
  bool IsBlocking() const override { return false; }
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* caller, OutputMetadata*,
                       OutputMetadata*) override {
    const auto path = metadata.find(":path");
    if (path == metadata.end()) return {grpc::StatusCode::PERMISSION_DENIED, "the call has no :path"};
    return authorizer_->admit(*caller, {path->second.data(), path->second.size()});
  }

 private:
  const std::shared_ptr<CallAuthorizer> authorizer_;
};

class CallInterceptor final : public grpc::experimental::Interceptor {
 public:
  CallInterceptor(std::shared_ptr<CallAuthorizer> authorizer, grpc::experimental::ServerRpcInfo& call)
      : authorizer_(std::move(authorizer)), call_(*call.server_context()), method_(call.method()) {}
  ~CallInterceptor() override {
    if (begun_) authorizer_->end(call_);
  }
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    // Must come first: if the call is cancelled when it begins, gRPC calls this again from within begin().
    if (!std::exchange(begun_, true)) authorizer_->begin(call_, method_);
    methods->Proceed();
  }

 private:
  const std::shared_ptr<CallAuthorizer> authorizer_;
  grpc::ServerContextBase& call_;
  const std::string method_;
  bool begun_ = false;
};

class CallInterceptorFactory final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit CallInterceptorFactory(std::shared_ptr<CallAuthorizer> authorizer) : authorizer_(std::move(authorizer)) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* call) override {
    return new CallInterceptor(authorizer_, *call);  // gRPC owns it.
  }

 private:
  const std::shared_ptr<CallAuthorizer> authorizer_;
};

}  // namespace

CallAuthorizer::CallAuthorizer(std::shared_ptr<identity::KnownPeers> peers, Entrance& connections,
                               const os::ConnectionLimits& limits)
    : peers_(std::move(peers)),
      connections_(connections),
      limits_(limits),
      listener_(*peers_, [this] { cancel_calls_of_unknown_peers(); }) {}

grpc::Status CallAuthorizer::admit(const grpc::AuthContext& caller, std::string_view method) {
  const std::string fingerprint = fingerprint_of(caller);
  const auto peer = peers_->by_fingerprint(fingerprint);
  if (!peer)
    return {grpc::StatusCode::UNAUTHENTICATED,
            "the caller's certificate is not known here, was revoked, or has expired"};
  if (!identity::may_call(peer->role, method)) {
    return {grpc::StatusCode::PERMISSION_DENIED,
            peer->name + " may not call " + escape_foreign(method.substr(0, kLongestMethod))};
  }
  const bool is_halt = method.ends_with(kHalt);
  if (const auto read = peers_->check_read(); !read && !is_halt) return to_status(read.error());
  const std::lock_guard hold(mutex_);
  if (exceeds_limit(fingerprint, is_halt))
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many concurrent calls: wait until some have ended"};
  return grpc::Status::OK;
}

std::string CallAuthorizer::fingerprint_of(const grpc::AuthContext& caller) {
  std::string pem = certificate_of(caller);
  const std::lock_guard hold(mutex_);
  if (const auto known = fingerprints_.find(pem); known != fingerprints_.end()) return known->second;
  const auto fingerprint = identity::fingerprint(pem);
  if (!fingerprint) return "";
  if (fingerprints_.size() >= kMostFingerprints) fingerprints_.clear();
  fingerprints_.emplace(std::move(pem), *fingerprint);
  return *fingerprint;
}

void CallAuthorizer::begin(grpc::ServerContextBase& call, std::string_view method) {
  const std::string fingerprint = fingerprint_of(*call.auth_context());
  const bool is_halt = method.ends_with(kHalt);
  bool may_go_on = connections_.assign_peer(call.peer(), fingerprint);
  {
    const std::lock_guard hold(mutex_);
    // Since admit(), other calls may have begun, or the peer may have been revoked.
    may_go_on = may_go_on && !exceeds_limit(fingerprint, is_halt) && peers_->by_fingerprint(fingerprint);
    calls_.emplace(&call, Call{fingerprint, is_halt});
    ++calls_of_[fingerprint];
  }
  if (!may_go_on) call.TryCancel();
}

bool CallAuthorizer::exceeds_limit(const std::string& fingerprint, bool is_halt) const {
  if (is_halt) return false;
  const auto of_peer = calls_of_.find(fingerprint);
  return calls_.size() >= limits_.calls || (of_peer != calls_of_.end() && of_peer->second >= limits_.calls_of_peer);
}

void CallAuthorizer::end(grpc::ServerContextBase& call) {
  const std::lock_guard hold(mutex_);
  const auto ended = calls_.find(&call);
  if (ended == calls_.end()) return;
  if (ended->second.is_halt) halt_ended_.notify_all();
  if (const auto of_peer = calls_of_.find(ended->second.fingerprint); --of_peer->second == 0) calls_of_.erase(of_peer);
  calls_.erase(ended);
}

void CallAuthorizer::wait_for_halts(Milliseconds at_most) {
  std::unique_lock hold(mutex_);
  halt_ended_.wait_for(hold, at_most, [this] {
    return std::ranges::none_of(calls_, [](const auto& call) { return call.second.is_halt; });
  });
}

void CallAuthorizer::cancel_calls_of_unknown_peers() {
  const std::lock_guard hold(mutex_);
  for (const auto& [context, call] : calls_) {
    if (!peers_->by_fingerprint(call.fingerprint)) context->TryCancel();
  }
}

std::shared_ptr<grpc::AuthMetadataProcessor> make_auth_processor(std::shared_ptr<CallAuthorizer> authorizer) {
  return std::make_shared<AuthProcessor>(std::move(authorizer));
}

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> make_call_interceptors(
    std::shared_ptr<CallAuthorizer> authorizer) {
  return std::make_unique<CallInterceptorFactory>(std::move(authorizer));
}

}  // namespace da::rpc
