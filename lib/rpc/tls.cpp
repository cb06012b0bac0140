#include "lib/rpc/tls.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_credentials_options.h>

#include "lib/base/text.h"

namespace da::rpc {
namespace {

// Checks a server's certificate after gRPC has verified the CA's signature.
class ServerCheck final : public grpc::experimental::ExternalCertificateVerifier {
 public:
  ServerCheck(identity::Role expected, std::shared_ptr<identity::KnownPeers> peers)
      : expected_(expected), peers_(std::move(peers)) {}

  bool Verify(grpc::experimental::TlsCustomVerificationCheckRequest* request, std::function<void(grpc::Status)>,
              grpc::Status* answer) override {
    const grpc::string_ref pem = request->peer_cert();
    const auto fingerprint = identity::fingerprint({pem.data(), pem.size()});
    const auto peer = fingerprint ? peers_->by_fingerprint(*fingerprint) : std::nullopt;
    if (!peer || peer->role != expected_) {
      const std::string who(request->common_name().data(), request->common_name().size());
      *answer = {grpc::StatusCode::UNAUTHENTICATED, escape_foreign(who) + " is not known here as " +
                                                        std::string(to_string(expected_)) +
                                                        ", was revoked, or has expired"};
    }
    return true;
  }
  void Cancel(grpc::experimental::TlsCustomVerificationCheckRequest*) override {}

 private:
  const identity::Role expected_;
  const std::shared_ptr<identity::KnownPeers> peers_;
};

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> tls_to(identity::Role server, const identity::Credentials& credentials) {
  const auto& [own, peers] = credentials;
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(std::make_shared<grpc::experimental::StaticDataCertificateProvider>(
      peers->ca_pem(),
      std::vector<grpc::experimental::IdentityKeyCertPair>{{own->private_key_pem, own->certificate_pem}}));
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  options.set_verify_server_certs(true);
  // Certificates name roles, not hosts.
  options.set_check_call_host(false);
  options.set_certificate_verifier(grpc::experimental::ExternalCertificateVerifier::Create<ServerCheck>(server, peers));
  return grpc::experimental::TlsCredentials(options);
}

std::shared_ptr<grpc::ServerCredentials> tls_for_serving(const identity::Credentials& credentials) {
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = credentials.peers->ca_pem();
  options.pem_key_cert_pairs.push_back({credentials.own->private_key_pem, credentials.own->certificate_pem});
  return grpc::SslServerCredentials(options);
}

}  // namespace da::rpc
