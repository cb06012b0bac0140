#include "lib/identity/certificate_authority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "lib/identity/certificate.h"
#include "lib/os/files/files.h"
#include "tests/lib/identity/openssl_program.h"
#include "tests/temp_dir.h"

namespace da::identity {
namespace {

using namespace std::chrono_literals;
using da::test::openssl;
using testing::HasSubstr;

constexpr WallTime kIssuedAt{std::chrono::sys_days{std::chrono::year(2026) / 11 / 21} + 12h};
constexpr std::chrono::hours kOneYear{365 * 24};

CertificateAuthority make_authority(const std::string& name = "Test authority") {
  auto authority = CertificateAuthority::create(name, {kIssuedAt, 10 * kOneYear});
  EXPECT_TRUE(authority) << authority.error().message;
  return *std::move(authority);
}

class CertificateAuthorityTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    EXPECT_TRUE(os::write_private_file(directory_.path() / name, content));
    return (directory_.path() / name).string();
  }
  Identity issue(Role role, const std::string& name) {
    auto identity = authority_.issue(role, name, {kIssuedAt, kOneYear});
    EXPECT_TRUE(identity) << identity.error().message;
    return *identity;
  }
  // Whether openssl verifies the chain.
  bool openssl_verifies(const Identity& identity, const CertificateAuthority& authority, WallTime at,
                        const std::string& purpose) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
    return openssl({"verify", "-x509_strict", "-purpose", purpose, "-attime", std::to_string(seconds), "-CAfile",
                    file("ca.pem", authority.certificate_pem()), file("certificate.pem", identity.certificate_pem)})
        .well;
  }
  const da::test::TempDir directory_;
  const CertificateAuthority authority_ = make_authority();
};

TEST_F(CertificateAuthorityTest, OpensslReadsProcessCertificateAsIntended) {
  const Identity identity = issue(Role::kPolicy, "policy@vm-12");
  const auto said = openssl({"x509", "-noout", "-text", "-in", file("certificate.pem", identity.certificate_pem)});
  ASSERT_TRUE(said.well);
  for (const char* part :
       {"Version: 3 (0x2)", "Issuer: CN = Test authority", "Subject: CN = policy@vm-12",
        "Not Before: Nov 21 11:55:00 2026", "Not After : Nov 21 12:00:00 2027", "ASN1 OID: prime256v1",
        "ecdsa-with-SHA256", "CA:FALSE", "Digital Signature",
        "TLS Web Server Authentication, TLS Web Client Authentication", "DNS:policy.desktopassist.internal",
        "X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier"}) {
    EXPECT_THAT(said.output, HasSubstr(part));
  }
  EXPECT_EQ(said.output.find("DNS:", said.output.find("DNS:") + 1), std::string::npos) << "one name alone";
}

TEST_F(CertificateAuthorityTest, OpensslReadsCaCertificateAsIntended) {
  const auto said = openssl({"x509", "-noout", "-text", "-in", file("ca.pem", authority_.certificate_pem())});
  for (const char* part : {"Issuer: CN = Test authority", "Subject: CN = Test authority", "CA:TRUE, pathlen:0",
                           "Certificate Sign, CRL Sign", "ASN1 OID: prime256v1"}) {
    EXPECT_THAT(said.output, HasSubstr(part));
  }
}

TEST_F(CertificateAuthorityTest, OpensslVerifiesEveryRoleAsClientAndServer) {
  for (const Role role : kRoles) {
    const Identity identity = issue(role, std::string(to_string(role)) + "@a.b-c");
    EXPECT_TRUE(openssl_verifies(identity, authority_, kIssuedAt, "sslserver")) << to_string(role);
    EXPECT_TRUE(openssl_verifies(identity, authority_, kIssuedAt, "sslclient")) << to_string(role);
    EXPECT_TRUE(verify_certificate(identity.certificate_pem, authority_.certificate_pem(), kIssuedAt));
  }
}

// Compares our result with openssl's, just inside and just outside the validity.
TEST_F(CertificateAuthorityTest, CertificateIsValidFromFiveMinutesBeforeIssueUntilItsEnd) {
  const Identity identity = issue(Role::kActuator, "actuator@desk");
  for (const auto& [at, valid] : {std::pair{kIssuedAt - 5min, true},
                                  {kIssuedAt - 5min - 1s, false},
                                  {kIssuedAt, true},
                                  {kIssuedAt + kOneYear - 1s, true},
                                  {kIssuedAt + kOneYear, false}}) {
    EXPECT_EQ(verify_certificate(identity.certificate_pem, authority_.certificate_pem(), at).has_value(), valid)
        << format_wall(at);
    EXPECT_EQ(openssl_verifies(identity, authority_, at, "sslserver"), valid) << format_wall(at);
  }
  const auto expired =
      verify_certificate(identity.certificate_pem, authority_.certificate_pem(), kIssuedAt + 2 * kOneYear);
  EXPECT_THAT(expired.error().message, HasSubstr("certificate has expired"));
}

TEST_F(CertificateAuthorityTest, AnotherCaWithSameNameDoesNotVerifyCertificate) {
  const CertificateAuthority other = make_authority();
  const Identity identity = issue(Role::kPlanner, "planner@a");
  EXPECT_FALSE(verify_certificate(identity.certificate_pem, other.certificate_pem(), kIssuedAt));
  EXPECT_FALSE(openssl_verifies(identity, other, kIssuedAt, "sslserver"));
  EXPECT_FALSE(verify_certificate(other.certificate_pem(), authority_.certificate_pem(), kIssuedAt));
}

TEST_F(CertificateAuthorityTest, ProcessCertificateCannotIssueOthers) {
  const Identity identity = issue(Role::kPolicy, "policy@a");
  EXPECT_FALSE(
      verify_certificate(issue(Role::kPlanner, "planner@a").certificate_pem, identity.certificate_pem, kIssuedAt));
  ASSERT_TRUE(os::make_private_directory(directory_.path() / "false"));
  ASSERT_TRUE(os::write_private_file(directory_.path() / "false/authority.pem",
                                     identity.certificate_pem + identity.private_key_pem));
  EXPECT_FALSE(CertificateAuthority::load(directory_.path() / "false"));
}

TEST_F(CertificateAuthorityTest, CertificateExpiresNoLaterThanCa) {
  const auto late = authority_.issue(Role::kPolicy, "policy@a", {kIssuedAt + 10 * kOneYear - 24h, kOneYear});
  EXPECT_EQ(read_certificate(late->certificate_pem)->not_after, kIssuedAt + 10 * kOneYear);
}

TEST_F(CertificateAuthorityTest, ExpiredCaIssuesNothing) {
  const auto issued = authority_.issue(Role::kPolicy, "policy@a", {kIssuedAt + 10 * kOneYear, kOneYear});
  ASSERT_FALSE(issued);
  EXPECT_EQ(issued.error().code, Code::kFailedPrecondition);
}

TEST_F(CertificateAuthorityTest, SerialsAndKeysAreUnique) {
  std::set<std::string> serials;
  std::set<std::string> curve_keys;
  for (int i = 0; i < 50; ++i) {
    const Identity identity = issue(Role::kConsole, "console@a");
    const std::string serial = read_certificate(identity.certificate_pem)->serial;
    EXPECT_GT(serial.size(), 24U) << "128 bits, few of them zero at the front: " << serial;
    EXPECT_TRUE(serials.insert(serial).second);
    EXPECT_TRUE(curve_keys.insert(identity.curve_public).second);
  }
}

TEST_F(CertificateAuthorityTest, InvalidNamesAreRefused) {
  for (const std::string name :
       {"", "policy", "policy@", "planner@a", "policy@A", "policy@a/b", "policy@..", "policy@-a", "policy@a b",
        "policy@a\n", "policy@\xc3\xa4", "Policy@a", "policy@a@b"}) {
    EXPECT_FALSE(authority_.issue(Role::kPolicy, name, {kIssuedAt, kOneYear})) << name;
  }
  EXPECT_TRUE(authority_.issue(Role::kPolicy, "policy@" + std::string(57, 'a'), {kIssuedAt, kOneYear}));
  EXPECT_FALSE(authority_.issue(Role::kPolicy, "policy@" + std::string(58, 'a'), {kIssuedAt, kOneYear}));
  EXPECT_FALSE(authority_.issue(Role::kPolicy, "policy@a", {kIssuedAt, 0h}));
  for (const std::string& name : {std::string(), std::string(65, 'a'), std::string("a\nb"), std::string("\xc3\xa4")}) {
    EXPECT_FALSE(CertificateAuthority::create(name, {kIssuedAt, kOneYear})) << name;
  }
}

TEST_F(CertificateAuthorityTest, SavedCaIsPrivateAndIssuesAfterLoading) {
  const auto place = directory_.path() / "ca";
  ASSERT_TRUE(authority_.save(place));
  struct stat info {};
  ASSERT_EQ(::stat((place / "authority.pem").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  ASSERT_EQ(::stat(place.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);

  const auto loaded = CertificateAuthority::load(place);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->certificate_pem(), authority_.certificate_pem());
  EXPECT_EQ(loaded->not_after(), authority_.not_after());
  const auto identity = loaded->issue(Role::kObserver, "observer@a", {kIssuedAt, kOneYear});
  EXPECT_TRUE(verify_certificate(identity->certificate_pem, authority_.certificate_pem(), kIssuedAt));

  const std::string file = (place / "authority.pem").string();
  EXPECT_TRUE(openssl({"x509", "-noout", "-in", file}).well);
  EXPECT_TRUE(openssl({"pkey", "-noout", "-check", "-in", file}).well);
}

TEST_F(CertificateAuthorityTest, InvalidCaFilesAreNotLoaded) {
  const auto place = directory_.path() / "ca";
  EXPECT_EQ(CertificateAuthority::load(place).error().code, Code::kNotFound);
  ASSERT_TRUE(authority_.save(place));
  const std::string text = os::read_file(place / "authority.pem").value();
  const std::string own = text.substr(0, text.find("-----BEGIN PRIVATE KEY"));
  const std::string key = text.substr(own.size());
  const auto load = [&](const std::string& content) {
    EXPECT_TRUE(os::write_private_file(place / "authority.pem", content));
    return CertificateAuthority::load(place);
  };
  ASSERT_TRUE(make_authority().save(place));
  const std::string other = os::read_file(place / "authority.pem").value();
  EXPECT_TRUE(load(own + key));
  EXPECT_FALSE(load(own + other.substr(other.find("-----BEGIN PRIVATE KEY")))) << "another's key";
  for (const std::string& content : {std::string(), own, key, key + own, own + own + key, own + key + key,
                                     text.substr(0, text.size() / 2), std::string(100'000, 'x')}) {
    EXPECT_FALSE(load(content)) << content.size();
  }
  EXPECT_TRUE(load(text));
  ::chmod((place / "authority.pem").c_str(), 0640);
  EXPECT_EQ(CertificateAuthority::load(place).error().code, Code::kPermissionDenied);
}

TEST_F(CertificateAuthorityTest, PeerHasIdentitysPublicParts) {
  const Identity identity = issue(Role::kPolicy, "policy@vm-12");
  const Peer peer = authority_.peer_of(identity);
  EXPECT_EQ(peer.role, Role::kPolicy);
  EXPECT_EQ(peer.name, "policy@vm-12");
  EXPECT_EQ(peer.curve_public, identity.curve_public);
  EXPECT_FALSE(peer.revoked);
  // sha256 Fingerprint=AB:CD:...
  std::string said =
      openssl({"x509", "-noout", "-fingerprint", "-sha256", "-in", file("certificate.pem", identity.certificate_pem)})
          .output;
  said = said.substr(said.find('=') + 1, 95);
  std::erase(said, ':');
  for (char& c : said) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  EXPECT_EQ(peer.fingerprint, said);
}

}  // namespace
}  // namespace da::identity
