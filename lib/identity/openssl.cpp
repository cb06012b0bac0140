#include "lib/identity/openssl.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <array>
#include <ctime>

#include "lib/base/id.h"
#include "lib/base/text.h"

namespace da::identity {
namespace {

// Our certificates have 900 bytes.
constexpr std::size_t kLongestPem = 16 << 10;

// OpenSSL would ask at the terminal without this callback.
int no_password(char*, int, int, void*) { return -1; }

Result<void> check_shape(std::string_view pem, std::string_view kind) {
  const std::string what = "read a PEM block of kind \"" + std::string(kind) + "\"";
  const std::string begin = "-----BEGIN " + std::string(kind) + "-----\n";
  const std::string end = "-----END " + std::string(kind) + "-----";
  if (pem.size() > kLongestPem) {
    return Error{Code::kResourceExhausted, what + ": larger than " + std::to_string(kLongestPem) + " bytes"};
  }
  if (!pem.starts_with(begin) || !trim(pem).ends_with(end) || pem.find("-----BEGIN", 1) != std::string_view::npos) {
    return Error{Code::kInvalidArgument, what + ": it must be one block of that kind and nothing else"};
  }
  return ok();
}

UniqueBio reader(std::string_view pem) { return UniqueBio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

std::string content_of(BIO& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(&bio, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

// Years after 2262 overflow nanoseconds.
Result<WallTime> time_of(const ASN1_TIME* time) {
  constexpr int kLastYear = 2200 - 1900;
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1 || parts.tm_year < 0 || parts.tm_year > kLastYear) {
    return Error{Code::kInvalidArgument, "read a certificate: its validity is out of bounds"};
  }
  const std::chrono::year_month_day day{std::chrono::year(parts.tm_year + 1900),
                                        std::chrono::month(static_cast<unsigned>(parts.tm_mon + 1)),
                                        std::chrono::day(static_cast<unsigned>(parts.tm_mday))};
  return WallTime(std::chrono::sys_days(day)) + std::chrono::hours(parts.tm_hour) + std::chrono::minutes(parts.tm_min) +
         std::chrono::seconds(parts.tm_sec);
}

}  // namespace

Error openssl_error(const std::string& attempted, Code code) {
  std::string reasons;
  while (const unsigned long number = ERR_get_error()) {
    const char* reason = ERR_reason_error_string(number);
    if (reason != nullptr) reasons += (reasons.empty() ? "" : ", ") + std::string(reason);
  }
  return {code, attempted + ": " + (reasons.empty() ? "no reason from OpenSSL" : reasons)};
}

Result<UniqueCertificate> certificate_from_pem(std::string_view pem) {
  RETURN_IF_ERROR(check_shape(pem, "CERTIFICATE"));
  const UniqueBio bio = reader(pem);
  UniqueCertificate certificate(PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr));
  if (!certificate) return openssl_error("read a certificate");
  return certificate;
}

Result<UniqueKey> key_from_pem(std::string_view pem) {
  RETURN_IF_ERROR(check_shape(pem, "PRIVATE KEY"));
  const UniqueBio bio = reader(pem);
  UniqueKey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  if (!key) return openssl_error("read a private key");
  std::array<char, 32> group{};
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_EC ||
      EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), nullptr) != 1 ||
      std::string_view(group.data()) != "prime256v1") {
    return Error{Code::kInvalidArgument, "read a private key: it must be an ECDSA P-256 key"};
  }
  return key;
}

Result<std::string> certificate_to_pem(X509& certificate) {
  const UniqueBio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(bio.get(), &certificate) != 1) return openssl_error("write a certificate", Code::kInternal);
  return content_of(*bio);
}

Result<std::string> key_to_pem(EVP_PKEY& key) {
  const UniqueBio bio(BIO_new(BIO_s_secmem()));
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return openssl_error("write a private key", Code::kInternal);
  }
  return content_of(*bio);
}

Result<WallTime> begin_of(const X509& certificate) { return time_of(X509_get0_notBefore(&certificate)); }
Result<WallTime> end_of(const X509& certificate) { return time_of(X509_get0_notAfter(&certificate)); }

Result<std::string> fingerprint_of(X509& certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (X509_digest(&certificate, EVP_sha256(), digest.data(), &size) != 1) {
    return openssl_error("take a certificate's fingerprint", Code::kInternal);
  }
  return to_hex({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace da::identity
