#include <string_view>

#include "lib/rpc/entrance.h"

namespace da::rpc {
namespace {

class ListeningEntrance final : public Entrance {
 public:
  explicit ListeningEntrance(std::string address) : address_(std::move(address)) {}

  void add_to(grpc::ServerBuilder& builder, const std::shared_ptr<grpc::ServerCredentials>& transport) override {
    builder.AddListeningPort(address_, transport, &port_);
  }

  Result<void> start() override {
    if (port_ > 0) return ok();
    return Error{Code::kUnavailable, "cannot listen at " + address_ + ": is another service there?"};
  }

  void stop() override {}

  bool assign_peer(const std::string&, const std::string&) override { return true; }

 private:
  const std::string address_;
  int port_ = 0;  // 0: not bound.
};

}  // namespace

Result<std::unique_ptr<Entrance>> Entrance::open(const std::string& address, const os::ConnectionLimits&) {
  std::string_view rest = address;
  if (rest.starts_with("unix:")) {
    return Error{Code::kInvalidArgument,
                 "listen at " + address + ": this build has no unix sockets; use \"ipv4:127.0.0.1:PORT\""};
  }
  // ServerBuilder takes host and port.
  for (const std::string_view scheme : {"ipv4:", "ipv6:"})
    if (rest.starts_with(scheme)) rest.remove_prefix(scheme.size());
  if (rest.rfind(':') == std::string_view::npos)
    return Error{Code::kInvalidArgument, "listen at " + address + ": the port is missing"};
  return std::unique_ptr<Entrance>(std::make_unique<ListeningEntrance>(std::string(rest)));
}

}  // namespace da::rpc
