// TLS 1.3 with certificates on both sides, also on unix sockets. All connections use it. Any thread.
#pragma once

#include <memory>

#include "lib/identity/credentials.h"

namespace grpc {
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace da::rpc {

// Accepts only a known peer of that role that is neither revoked nor expired.
std::shared_ptr<grpc::ChannelCredentials> tls_to(identity::Role server, const identity::Credentials& credentials);

// Accepts callers with a certificate of the CA. CallAuthorizer decides what they may call.
std::shared_ptr<grpc::ServerCredentials> tls_for_serving(const identity::Credentials& credentials);

}  // namespace da::rpc
