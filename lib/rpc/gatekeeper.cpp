#include "lib/rpc/gatekeeper.h"

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
// Of whichever service: "/da.v1.Policy/Halt".
constexpr std::string_view kHalt = "/Halt";

std::string certificate_of(const grpc::AuthContext& caller) {
  const auto found = caller.FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
  return found.size() == 1 ? std::string(found[0].data(), found[0].size()) : std::string();
}

class Admission final : public grpc::AuthMetadataProcessor {
 public:
  explicit Admission(std::shared_ptr<Gatekeeper> gatekeeper) : gatekeeper_(std::move(gatekeeper)) {}
  bool IsBlocking() const override { return false; }
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* caller, OutputMetadata*,
                       OutputMetadata*) override {
    const auto path = metadata.find(":path");
    if (path == metadata.end()) return {grpc::StatusCode::PERMISSION_DENIED, "a call without a method"};
    return gatekeeper_->admit(*caller, {path->second.data(), path->second.size()});
  }

 private:
  const std::shared_ptr<Gatekeeper> gatekeeper_;
};

class Supervisor final : public grpc::experimental::Interceptor {
 public:
  Supervisor(std::shared_ptr<Gatekeeper> gatekeeper, grpc::experimental::ServerRpcInfo& call)
      : gatekeeper_(std::move(gatekeeper)), call_(*call.server_context()), method_(call.method()) {}
  ~Supervisor() override {
    if (begun_) gatekeeper_->end(call_);
  }
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    // First of all: where the call is cancelled at its beginning, this is called again from within.
    if (!std::exchange(begun_, true)) gatekeeper_->begin(call_, method_);
    methods->Proceed();
  }

 private:
  const std::shared_ptr<Gatekeeper> gatekeeper_;
  grpc::ServerContextBase& call_;
  const std::string method_;
  bool begun_ = false;
};

class Supervision final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit Supervision(std::shared_ptr<Gatekeeper> gatekeeper) : gatekeeper_(std::move(gatekeeper)) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* call) override {
    return new Supervisor(gatekeeper_, *call);  // gRPC owns it.
  }

 private:
  const std::shared_ptr<Gatekeeper> gatekeeper_;
};

}  // namespace

Gatekeeper::Gatekeeper(std::shared_ptr<identity::KnownPeers> peers, Acceptor& connections,
                       const os::ConnectionLimits& limits)
    : peers_(std::move(peers)),
      connections_(connections),
      limits_(limits),
      listening_(*peers_, [this] { end_calls_of_the_unknown(); }) {}

grpc::Status Gatekeeper::admit(const grpc::AuthContext& caller, std::string_view method) {
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
  if (is_one_too_many(fingerprint, is_halt))
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many calls run here: end some of them first"};
  return grpc::Status::OK;
}

std::string Gatekeeper::fingerprint_of(const grpc::AuthContext& caller) {
  std::string pem = certificate_of(caller);
  const std::lock_guard hold(mutex_);
  if (const auto known = fingerprints_.find(pem); known != fingerprints_.end()) return known->second;
  const auto fingerprint = identity::fingerprint(pem);
  if (!fingerprint) return "";
  if (fingerprints_.size() >= kMostFingerprints) fingerprints_.clear();
  fingerprints_.emplace(std::move(pem), *fingerprint);
  return *fingerprint;
}

void Gatekeeper::begin(grpc::ServerContextBase& call, std::string_view method) {
  const std::string fingerprint = fingerprint_of(*call.auth_context());
  const bool is_halt = method.ends_with(kHalt);
  const bool may_connect = connections_.belongs_to(call.peer(), fingerprint);
  bool may_go_on = may_connect;
  {
    const std::lock_guard hold(mutex_);
    // Others may have begun, or it may have been revoked, since it was admitted.
    may_go_on = may_go_on && !is_one_too_many(fingerprint, is_halt) && peers_->by_fingerprint(fingerprint);
    calls_.emplace(&call, Call{fingerprint, is_halt});
    ++calls_of_[fingerprint];
  }
  if (!may_go_on) call.TryCancel();
}

bool Gatekeeper::is_one_too_many(const std::string& fingerprint, bool is_halt) const {
  if (is_halt) return false;
  const auto of_peer = calls_of_.find(fingerprint);
  return calls_.size() >= limits_.calls || (of_peer != calls_of_.end() && of_peer->second >= limits_.calls_of_peer);
}

void Gatekeeper::end(grpc::ServerContextBase& call) {
  const std::lock_guard hold(mutex_);
  const auto ended = calls_.find(&call);
  if (ended == calls_.end()) return;
  if (ended->second.is_halt) halt_ended_.notify_all();
  if (const auto of_peer = calls_of_.find(ended->second.fingerprint); --of_peer->second == 0) calls_of_.erase(of_peer);
  calls_.erase(ended);
}

void Gatekeeper::wait_for_halts(Milliseconds at_most) {
  std::unique_lock hold(mutex_);
  halt_ended_.wait_for(hold, at_most, [this] {
    return std::ranges::none_of(calls_, [](const auto& call) { return call.second.is_halt; });
  });
}

void Gatekeeper::end_calls_of_the_unknown() {
  const std::lock_guard hold(mutex_);
  for (const auto& [context, call] : calls_) {
    if (!peers_->by_fingerprint(call.fingerprint)) context->TryCancel();
  }
}

std::shared_ptr<grpc::AuthMetadataProcessor> admission(std::shared_ptr<Gatekeeper> gatekeeper) {
  return std::make_shared<Admission>(std::move(gatekeeper));
}

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> supervision(
    std::shared_ptr<Gatekeeper> gatekeeper) {
  return std::make_unique<Supervision>(std::move(gatekeeper));
}

}  // namespace da::rpc
