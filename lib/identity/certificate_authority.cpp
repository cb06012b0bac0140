#include "lib/identity/certificate_authority.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/rand.h>
#include <sodium.h>

#include <algorithm>
#include <array>

#include "lib/base/text.h"
#include "lib/identity/certificate.h"
#include "lib/identity/openssl.h"
#include "lib/os/files/files.h"

namespace da::identity {
namespace {

constexpr const char* kFile = "authority.pem";
constexpr std::size_t kLargestFile = 64 << 10;
constexpr int kSerialBits = 128;
constexpr long kVersion3 = 2;
constexpr std::string_view kKeyBegins = "-----BEGIN PRIVATE KEY-----";

using UniqueExtension = std::unique_ptr<X509_EXTENSION, OpensslFree<X509_EXTENSION_free>>;

Error failed(const std::string& attempted) { return openssl_error(attempted, Code::kInternal); }

Result<UniqueKey> make_key() {
  UniqueKey key(EVP_EC_gen("P-256"));
  if (!key) return failed("make a P-256 key");
  return key;
}

std::time_t seconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

Result<void> set_random_serial(X509& certificate) {
  const UniqueNumber number(BN_new());
  if (!number || BN_rand(number.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) != 1 ||
      BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate)) == nullptr) {
    return failed("draw a serial number");
  }
  return ok();
}

Result<void> add_extension(X509& certificate, X509& issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  X509V3_set_ctx_nodb(&context);
  const UniqueExtension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  if (!extension || X509_add_ext(&certificate, extension.get(), -1) != 1) {
    return failed("add extension " + std::string(OBJ_nid2sn(nid)));
  }
  return ok();
}

// An unsigned certificate without extensions.
Result<UniqueCertificate> draft(EVP_PKEY& key, const std::string& name, WallTime not_before, WallTime not_after) {
  UniqueCertificate certificate(X509_new());
  if (!certificate || X509_set_version(certificate.get(), kVersion3) != 1) return failed("begin a certificate");
  RETURN_IF_ERROR(set_random_serial(*certificate));
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  if (X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(name.data()), static_cast<int>(name.size()), -1,
                                 0) != 1 ||
      ASN1_TIME_set(X509_getm_notBefore(certificate.get()), seconds_of(not_before)) == nullptr ||
      ASN1_TIME_set(X509_getm_notAfter(certificate.get()), seconds_of(not_after)) == nullptr ||
      X509_set_pubkey(certificate.get(), &key) != 1) {
    return failed("fill in a certificate");
  }
  return certificate;
}

Result<void> sign(X509& certificate, X509& issuer, EVP_PKEY& issuer_key) {
  if (X509_set_issuer_name(&certificate, X509_get_subject_name(&issuer)) != 1 ||
      X509_sign(&certificate, &issuer_key, EVP_sha256()) == 0) {
    return failed("sign a certificate");
  }
  return ok();
}

Result<void> check_validity(const Validity& validity) {
  if (validity.lasts > std::chrono::hours(0) && validity.lasts <= std::chrono::years(100)) return ok();
  return Error{Code::kInvalidArgument, "validity of a certificate: it must last between an hour and 100 years"};
}

bool is_printable(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

struct CertificateAuthority::Keys {
  UniqueKey key;
  UniqueCertificate certificate;
  std::string certificate_pem;
  WallTime not_after;
};

CertificateAuthority::CertificateAuthority(std::unique_ptr<Keys> keys) : keys_(std::move(keys)) {}
CertificateAuthority::CertificateAuthority(CertificateAuthority&&) noexcept = default;
CertificateAuthority& CertificateAuthority::operator=(CertificateAuthority&&) noexcept = default;
CertificateAuthority::~CertificateAuthority() = default;

Result<CertificateAuthority> CertificateAuthority::create(const std::string& name, const Validity& validity) {
  if (!is_printable(name)) {
    return Error{Code::kInvalidArgument, "authority's name \"" + escape_foreign(name, 80) +
                                             "\": it must be 1 to 64 printable ASCII characters"};
  }
  RETURN_IF_ERROR(check_validity(validity));
  auto keys = std::make_unique<Keys>();
  keys->not_after = validity.now + validity.lasts;
  ASSIGN_OR_RETURN(keys->key, make_key());
  ASSIGN_OR_RETURN(keys->certificate, draft(*keys->key, name, validity.now - kClockSkew, keys->not_after));
  X509& own = *keys->certificate;
  RETURN_IF_ERROR(add_extension(own, own, NID_basic_constraints, "critical,CA:TRUE,pathlen:0"));
  RETURN_IF_ERROR(add_extension(own, own, NID_key_usage, "critical,keyCertSign,cRLSign"));
  RETURN_IF_ERROR(add_extension(own, own, NID_subject_key_identifier, "hash"));
  RETURN_IF_ERROR(sign(own, own, *keys->key));
  ASSIGN_OR_RETURN(keys->certificate_pem, certificate_to_pem(own));
  return CertificateAuthority(std::move(keys));
}

Result<Identity> CertificateAuthority::issue(Role role, const std::string& name, const Validity& validity) const {
  RETURN_IF_ERROR(check_name(role, name));
  RETURN_IF_ERROR(check_validity(validity));
  if (validity.now >= keys_->not_after) {
    return Error{Code::kFailedPrecondition, "issue a certificate for " + name + ": the CA certificate expired at " +
                                                format_wall(keys_->not_after) + "; make a new one"};
  }
  Identity identity;
  identity.role = role;
  identity.name = name;
  ASSIGN_OR_RETURN(const UniqueKey key, make_key());
  const WallTime not_after = std::min(validity.now + validity.lasts, keys_->not_after);
  ASSIGN_OR_RETURN(const UniqueCertificate certificate, draft(*key, name, validity.now - kClockSkew, not_after));
  X509& issuer = *keys_->certificate;
  RETURN_IF_ERROR(add_extension(*certificate, issuer, NID_basic_constraints, "critical,CA:FALSE"));
  RETURN_IF_ERROR(add_extension(*certificate, issuer, NID_key_usage, "critical,digitalSignature"));
  RETURN_IF_ERROR(add_extension(*certificate, issuer, NID_ext_key_usage, "serverAuth,clientAuth"));
  RETURN_IF_ERROR(add_extension(*certificate, issuer, NID_subject_alt_name, "DNS:" + dns_name(role)));
  RETURN_IF_ERROR(add_extension(*certificate, issuer, NID_subject_key_identifier, "hash"));
  RETURN_IF_ERROR(add_extension(*certificate, issuer, NID_authority_key_identifier, "keyid:always"));
  RETURN_IF_ERROR(sign(*certificate, issuer, *keys_->key));
  ASSIGN_OR_RETURN(identity.certificate_pem, certificate_to_pem(*certificate));
  ASSIGN_OR_RETURN(identity.private_key_pem, key_to_pem(*key));
  CurveKeys curve = make_curve_keys();
  identity.curve_public = std::move(curve.public_key);
  identity.curve_secret = std::move(curve.secret_key);
  return identity;
}

Peer CertificateAuthority::peer_of(const Identity& identity) const {
  return Peer{.role = identity.role,
              .name = identity.name,
              .fingerprint = fingerprint(identity.certificate_pem).value(),
              .curve_public = identity.curve_public,
              .expires = expiry_of(identity.certificate_pem).value()};
}

const std::string& CertificateAuthority::certificate_pem() const { return keys_->certificate_pem; }
WallTime CertificateAuthority::not_after() const { return keys_->not_after; }

Result<void> CertificateAuthority::save(const std::filesystem::path& directory) const {
  RETURN_IF_ERROR(os::make_private_directory(directory));
  ASSIGN_OR_RETURN(std::string key, key_to_pem(*keys_->key));
  std::string text = keys_->certificate_pem + key;
  const auto written = os::write_private_file(directory / kFile, text);
  sodium_memzero(key.data(), key.size());
  sodium_memzero(text.data(), text.size());
  return written;
}

Result<CertificateAuthority> CertificateAuthority::load(const std::filesystem::path& directory) {
  const auto path = directory / kFile;
  ASSIGN_OR_RETURN(std::string text, os::read_private_file(path, os::Links::kRefuse, kLargestFile));
  const std::string_view whole = text;
  const std::size_t key_at = std::min(whole.find(kKeyBegins), whole.size());
  auto keys = std::make_unique<Keys>();
  keys->certificate_pem = whole.substr(0, key_at);
  auto key = key_from_pem(whole.substr(key_at));
  sodium_memzero(text.data(), text.size());
  if (!key) return Error{key.error().code, path.string() + ": " + key.error().message};
  auto certificate = certificate_from_pem(keys->certificate_pem);
  if (!certificate) return Error{certificate.error().code, path.string() + ": " + certificate.error().message};
  keys->key = *std::move(key);
  keys->certificate = *std::move(certificate);
  if (X509_check_private_key(keys->certificate.get(), keys->key.get()) != 1 ||
      X509_check_ca(keys->certificate.get()) != 1) {
    return openssl_error(path.string() + ": it must contain a CA certificate and its private key");
  }
  ASSIGN_OR_RETURN(keys->not_after, end_of(*keys->certificate));
  return CertificateAuthority(std::move(keys));
}

}  // namespace da::identity
