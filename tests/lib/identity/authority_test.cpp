#include "lib/identity/authority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "lib/identity/certificate.h"
#include "lib/os/files.h"
#include "tests/lib/identity/openssl_program.h"
#include "tests/temp_dir.h"

namespace da::identity {
namespace {

using namespace std::chrono_literals;
using da::test::openssl;
using testing::HasSubstr;

constexpr WallTime kNow{std::chrono::sys_days{std::chrono::year(2026) / 11 / 21} + 12h};
constexpr std::chrono::hours kYear{365 * 24};

Authority make_authority(const std::string& name = "Test authority") {
  auto authority = Authority::create(name, {kNow, 10 * kYear});
  EXPECT_TRUE(authority) << authority.error().message;
  return *std::move(authority);
}

class AuthorityTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    EXPECT_TRUE(os::write_private_file(directory_.path() / name, content));
    return (directory_.path() / name).string();
  }
  Identity issue(Role role, const std::string& name) {
    auto identity = authority_.issue(role, name, {kNow, kYear});
    EXPECT_TRUE(identity) << identity.error().message;
    return *identity;
  }
  // openssl's word on the chain.
  bool holds(const Identity& identity, const Authority& authority, WallTime at, const std::string& purpose) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
    return openssl({"verify", "-x509_strict", "-purpose", purpose, "-attime", std::to_string(seconds), "-CAfile",
                    file("ca.pem", authority.certificate_pem()), file("certificate.pem", identity.certificate_pem)})
        .well;
  }
  const da::test::TempDir directory_;
  const Authority authority_ = make_authority();
};

TEST_F(AuthorityTest, OpensslReadsTheCertificateAsItIsMeant) {
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

TEST_F(AuthorityTest, OpensslReadsTheAuthorityAsItIsMeant) {
  const auto said = openssl({"x509", "-noout", "-text", "-in", file("ca.pem", authority_.certificate_pem())});
  for (const char* part : {"Issuer: CN = Test authority", "Subject: CN = Test authority", "CA:TRUE, pathlen:0",
                           "Certificate Sign, CRL Sign", "ASN1 OID: prime256v1"}) {
    EXPECT_THAT(said.output, HasSubstr(part));
  }
}

TEST_F(AuthorityTest, OpensslVerifiesEveryRoleForBothEnds) {
  for (const Role role : kRoles) {
    const Identity identity = issue(role, std::string(to_string(role)) + "@a.b-c");
    EXPECT_TRUE(holds(identity, authority_, kNow, "sslserver")) << to_string(role);
    EXPECT_TRUE(holds(identity, authority_, kNow, "sslclient")) << to_string(role);
    EXPECT_TRUE(verify_certificate(identity.certificate_pem, authority_.certificate_pem(), kNow));
  }
}

// Ours and openssl's verdict, just inside and just outside.
TEST_F(AuthorityTest, HoldsFromFiveMinutesBeforeUntilItsEndAndNoLonger) {
  const Identity identity = issue(Role::kActuator, "actuator@desk");
  for (const auto& [at, valid] : {std::pair{kNow - 5min, true},
                                  {kNow - 5min - 1s, false},
                                  {kNow, true},
                                  {kNow + kYear - 1s, true},
                                  {kNow + kYear, false}}) {
    EXPECT_EQ(verify_certificate(identity.certificate_pem, authority_.certificate_pem(), at).has_value(), valid)
        << format_wall(at);
    EXPECT_EQ(holds(identity, authority_, at, "sslserver"), valid) << format_wall(at);
  }
  const auto expired = verify_certificate(identity.certificate_pem, authority_.certificate_pem(), kNow + 2 * kYear);
  EXPECT_THAT(expired.error().message, HasSubstr("certificate has expired"));
}

TEST_F(AuthorityTest, AnotherAuthorityDoesNotVerifyItThoughItHasTheSameName) {
  const Authority other = make_authority();
  const Identity identity = issue(Role::kPlanner, "planner@a");
  EXPECT_FALSE(verify_certificate(identity.certificate_pem, other.certificate_pem(), kNow));
  EXPECT_FALSE(holds(identity, other, kNow, "sslserver"));
  EXPECT_FALSE(verify_certificate(other.certificate_pem(), authority_.certificate_pem(), kNow));
}

TEST_F(AuthorityTest, AnIdentityCannotIssueOthers) {
  const Identity identity = issue(Role::kPolicy, "policy@a");
  EXPECT_FALSE(verify_certificate(issue(Role::kPlanner, "planner@a").certificate_pem, identity.certificate_pem, kNow));
  ASSERT_TRUE(os::make_private_directory(directory_.path() / "false"));
  ASSERT_TRUE(os::write_private_file(directory_.path() / "false/authority.pem",
                                     identity.certificate_pem + identity.private_key_pem));
  EXPECT_FALSE(Authority::load(directory_.path() / "false"));
}

TEST_F(AuthorityTest, ACertificateEndsWithTheAuthorityAtTheLatest) {
  const auto late = authority_.issue(Role::kPolicy, "policy@a", {kNow + 10 * kYear - 24h, kYear});
  EXPECT_EQ(read_certificate(late->certificate_pem)->not_after, kNow + 10 * kYear);
}

TEST_F(AuthorityTest, AnAuthorityThatHasEndedIssuesNothing) {
  const auto issued = authority_.issue(Role::kPolicy, "policy@a", {kNow + 10 * kYear, kYear});
  ASSERT_FALSE(issued);
  EXPECT_EQ(issued.error().code, Code::kFailedPrecondition);
}

TEST_F(AuthorityTest, SerialsAndKeysAreFreshEachTime) {
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

TEST_F(AuthorityTest, NamesThatDoNotFitAreRefused) {
  for (const std::string name :
       {"", "policy", "policy@", "planner@a", "policy@A", "policy@a/b", "policy@..", "policy@-a", "policy@a b",
        "policy@a\n", "policy@\xc3\xa4", "Policy@a", "policy@a@b"}) {
    EXPECT_FALSE(authority_.issue(Role::kPolicy, name, {kNow, kYear})) << name;
  }
  EXPECT_TRUE(authority_.issue(Role::kPolicy, "policy@" + std::string(57, 'a'), {kNow, kYear}));
  EXPECT_FALSE(authority_.issue(Role::kPolicy, "policy@" + std::string(58, 'a'), {kNow, kYear}));
  EXPECT_FALSE(authority_.issue(Role::kPolicy, "policy@a", {kNow, 0h}));
  for (const std::string& name : {std::string(), std::string(65, 'a'), std::string("a\nb"), std::string("\xc3\xa4")}) {
    EXPECT_FALSE(Authority::create(name, {kNow, kYear})) << name;
  }
}

TEST_F(AuthorityTest, SavedItIsReadableByItsOwnerAloneAndIssuesAsBefore) {
  const auto place = directory_.path() / "ca";
  ASSERT_TRUE(authority_.save(place));
  struct stat info {};
  ASSERT_EQ(::stat((place / "authority.pem").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  ASSERT_EQ(::stat(place.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);

  const auto loaded = Authority::load(place);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->certificate_pem(), authority_.certificate_pem());
  EXPECT_EQ(loaded->not_after(), authority_.not_after());
  const auto identity = loaded->issue(Role::kObserver, "observer@a", {kNow, kYear});
  EXPECT_TRUE(verify_certificate(identity->certificate_pem, authority_.certificate_pem(), kNow));

  const std::string file = (place / "authority.pem").string();
  EXPECT_TRUE(openssl({"x509", "-noout", "-in", file}).well);
  EXPECT_TRUE(openssl({"pkey", "-noout", "-check", "-in", file}).well);
}

TEST_F(AuthorityTest, WhatIsNoAuthorityIsNotLoaded) {
  const auto place = directory_.path() / "ca";
  EXPECT_EQ(Authority::load(place).error().code, Code::kNotFound);
  ASSERT_TRUE(authority_.save(place));
  const std::string text = os::read_file(place / "authority.pem").value();
  const std::string own = text.substr(0, text.find("-----BEGIN PRIVATE KEY"));
  const std::string key = text.substr(own.size());
  const auto load = [&](const std::string& content) {
    EXPECT_TRUE(os::write_private_file(place / "authority.pem", content));
    return Authority::load(place);
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
  EXPECT_EQ(Authority::load(place).error().code, Code::kPermissionDenied);
}

TEST_F(AuthorityTest, PeerIsHowOthersKnowAnIdentity) {
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
