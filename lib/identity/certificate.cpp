#include "lib/identity/certificate.h"

#include <openssl/bn.h>
#include <openssl/err.h>

#include "lib/base/text.h"
#include "lib/identity/openssl.h"

namespace da::identity {
namespace {

constexpr std::size_t kLongestName = 64;

using UniqueNames = std::unique_ptr<GENERAL_NAMES, OpensslFree<GENERAL_NAMES_free>>;
using UniqueStore = std::unique_ptr<X509_STORE, OpensslFree<X509_STORE_free>>;
using UniqueStoreContext = std::unique_ptr<X509_STORE_CTX, OpensslFree<X509_STORE_CTX_free>>;

Error bad_certificate(const std::string& why) { return {Code::kInvalidArgument, "read a certificate: " + why}; }

std::string_view view_of(const ASN1_STRING* string) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
          static_cast<std::size_t>(ASN1_STRING_length(string))};
}

Result<std::string> common_name(X509& certificate) {
  X509_NAME* subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, at) >= 0) {
    return bad_certificate("it must have one common name");
  }
  return std::string(view_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
}

Result<Role> role_of(X509& certificate) {
  const UniqueNames names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  if (!names || sk_GENERAL_NAME_num(names.get()) != 1) return bad_certificate("it must be for one DNS name");
  const GENERAL_NAME* only = sk_GENERAL_NAME_value(names.get(), 0);
  if (only->type != GEN_DNS) return bad_certificate("it must be for one DNS name");
  const std::string_view name = view_of(only->d.dNSName);
  for (const Role role : kRoles) {
    if (dns_name(role) == name) return role;
  }
  return bad_certificate("it is for \"" + escape_foreign(name, 80) + "\", which names no role");
}

Result<void> check_uses(X509& certificate) {
  const std::uint32_t uses = X509_get_extended_key_usage(&certificate);
  const bool present = (X509_get_extension_flags(&certificate) & EXFLAG_XKUSAGE) != 0;
  if (!present || uses != (XKU_SSL_SERVER | XKU_SSL_CLIENT)) {
    return bad_certificate("it must be for servers and clients");
  }
  if (X509_check_ca(&certificate) != 0) return bad_certificate("it is a CA's, and must be a process's");
  return ok();
}

std::string serial_of(X509& certificate) {
  const UniqueNumber number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(&certificate), nullptr));
  const std::unique_ptr<char, decltype([](char* text) { OPENSSL_free(text); })> text(BN_bn2hex(number.get()));
  return text ? text.get() : "";
}

Result<void> verify_for(X509& certificate, X509_STORE& store, int purpose, WallTime at) {
  const UniqueStoreContext context(X509_STORE_CTX_new());
  if (!context || X509_STORE_CTX_init(context.get(), &store, &certificate, nullptr) != 1) {
    return openssl_error("verify a certificate", Code::kInternal);
  }
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_X509_STRICT);
  X509_STORE_CTX_set_time(context.get(), 0,
                          std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(at)));
  if (X509_verify_cert(context.get()) == 1) return ok();
  const char* reason = X509_verify_cert_error_string(X509_STORE_CTX_get_error(context.get()));
  ERR_clear_error();
  return Error{Code::kUnauthenticated, std::string("verify a certificate at ") + format_wall(at) + ": " + reason};
}

}  // namespace

Result<void> check_name(Role role, std::string_view name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const Error wrong{Code::kInvalidArgument,
                    "name \"" + escape_foreign(name, 80) + "\": it must be \"" + std::string(to_string(role)) +
                        "@MACHINE\", at most 64 characters, the machine of a-z, 0-9, dots and hyphens, beginning "
                        "with a letter or digit"};
  const std::string prefix = std::string(to_string(role)) + "@";
  if (name.size() > kLongestName || !name.starts_with(prefix)) return wrong;
  const std::string_view machine = name.substr(prefix.size());
  if (machine.empty() || !is_plain(machine.front())) return wrong;
  for (const char c : machine) {
    if (!is_plain(c) && c != '.' && c != '-') return wrong;
  }
  return ok();
}

std::string_view machine_of(std::string_view name) { return name.substr(name.find('@') + 1); }

Result<Certificate> read_certificate(std::string_view pem) {
  ASSIGN_OR_RETURN(const UniqueCertificate certificate, certificate_from_pem(pem));
  ASSIGN_OR_RETURN(const Role role, role_of(*certificate));
  ASSIGN_OR_RETURN(std::string name, common_name(*certificate));
  RETURN_IF_ERROR(check_name(role, name));
  RETURN_IF_ERROR(check_uses(*certificate));
  ASSIGN_OR_RETURN(const WallTime not_before, begin_of(*certificate));
  ASSIGN_OR_RETURN(const WallTime not_after, end_of(*certificate));
  ASSIGN_OR_RETURN(std::string fingerprint, fingerprint_of(*certificate));
  return Certificate{role, std::move(name), serial_of(*certificate), std::move(fingerprint), not_before, not_after};
}

Result<WallTime> expiry_of(std::string_view pem) {
  ASSIGN_OR_RETURN(const UniqueCertificate certificate, certificate_from_pem(pem));
  return end_of(*certificate);
}

Result<void> verify_certificate(std::string_view pem, std::string_view ca_pem, WallTime at) {
  ASSIGN_OR_RETURN(const UniqueCertificate certificate, certificate_from_pem(pem));
  ASSIGN_OR_RETURN(const UniqueCertificate authority, certificate_from_pem(ca_pem));
  const UniqueStore store(X509_STORE_new());
  if (!store || X509_STORE_add_cert(store.get(), authority.get()) != 1) {
    return openssl_error("verify a certificate", Code::kInternal);
  }
  for (const int purpose : {X509_PURPOSE_SSL_CLIENT, X509_PURPOSE_SSL_SERVER}) {
    RETURN_IF_ERROR(verify_for(*certificate, *store, purpose, at));
  }
  return ok();
}

}  // namespace da::identity
