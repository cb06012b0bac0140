// Owners of OpenSSL's objects, strict PEM, and readable errors. Only lib/identity's .cpp files include this.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::identity {

template <auto Free>
struct OpensslFree {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

using UniqueBio = std::unique_ptr<BIO, OpensslFree<BIO_free_all>>;
using UniqueKey = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using UniqueCertificate = std::unique_ptr<X509, OpensslFree<X509_free>>;
using UniqueNumber = std::unique_ptr<BIGNUM, OpensslFree<BN_free>>;

// "attempted: OpenSSL's reasons". Empties the thread's error queue.
Error openssl_error(const std::string& attempted, Code code = Code::kInvalidArgument);

// Accepts exactly one block of that kind, without a password. Errors never quote the input.
Result<UniqueCertificate> certificate_from_pem(std::string_view pem);
Result<UniqueKey> key_from_pem(std::string_view pem);

Result<std::string> certificate_to_pem(X509& certificate);
// Uses wiped memory internally.
Result<std::string> key_to_pem(EVP_PKEY& key);

// Start and end of validity; an error unless the year is from 1900 to 2200.
Result<WallTime> begin_of(const X509& certificate);
Result<WallTime> end_of(const X509& certificate);

// SHA-256 of the DER form, hexadecimal.
Result<std::string> fingerprint_of(X509& certificate);

}  // namespace da::identity
