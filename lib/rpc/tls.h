// TLS 1.3 with certificates on both sides, on unix sockets too: the only kind of connection there is. Any thread.
#pragma once

#include <memory>

#include "lib/identity/credentials.h"

namespace grpc {
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace da::rpc {

// Connects to a known, live peer of that role, and to nobody else.
std::shared_ptr<grpc::ChannelCredentials> tls_to(identity::Role server, const identity::Credentials& credentials);

// Takes callers with a certificate of the authority. What each may call is the Gatekeeper's business.
std::shared_ptr<grpc::ServerCredentials> tls_for_serving(const identity::Credentials& credentials);

}  // namespace da::rpc
