#include "lib/identity/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "lib/identity/certificate.h"
#include "lib/identity/certificate_authority.h"
#include "lib/identity/known_peers.h"
#include "lib/os/files/files.h"
#include "tests/lib/identity/openssl_program.h"
#include "tests/temp_dir.h"

namespace da::identity {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr WallTime kNow{std::chrono::sys_days{std::chrono::year(2026) / 11 / 21} + 12h};
constexpr std::chrono::hours kYear{365 * 24};

// `text` with the first occurrence of `from` replaced. `from` must occur.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class IdentityTest : public testing::Test {
 protected:
  Identity issue(Role role, const std::string& machine = "vm-12") const {
    return authority_.issue(role, std::string(to_string(role)) + "@" + machine, {kNow, kYear}).value();
  }
  void expect_refused(const std::string& toml, const std::string& because) const {
    const auto parsed = parse_identity(toml);
    ASSERT_FALSE(parsed) << because;
    EXPECT_THAT(parsed.error().message, HasSubstr(because));
    EXPECT_THAT(parsed.error().message, Not(HasSubstr(policy_.curve_secret)));
    EXPECT_THAT(parsed.error().message, Not(HasSubstr(policy_.private_key_pem.substr(30, 40))));
  }
  const da::test::TempDir directory_;
  const CertificateAuthority authority_ = CertificateAuthority::create("Test authority", {kNow, 10 * kYear}).value();
  const Identity policy_ = issue(Role::kPolicy);
  const Identity planner_ = issue(Role::kPlanner);
  const std::string toml_ = to_toml(policy_);
};

TEST_F(IdentityTest, SurvivesTomlRoundTrip) {
  for (const Role role : kRoles) {
    const Identity identity = issue(role);
    const auto read = parse_identity(to_toml(identity));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->role, identity.role);
    EXPECT_EQ(read->name, identity.name);
    EXPECT_EQ(read->certificate_pem, identity.certificate_pem);
    EXPECT_EQ(read->private_key_pem, identity.private_key_pem);
    EXPECT_EQ(read->curve_public, identity.curve_public);
    EXPECT_EQ(read->curve_secret, identity.curve_secret);
  }
}

TEST_F(IdentityTest, UnknownMissingAndMistypedKeysAreRefused) {
  expect_refused(toml_ + "note = 1\n", "unknown key \"note\"");
  expect_refused(toml_ + "[extra]\n", "unknown key \"extra\"");
  expect_refused(replaced(toml_, "curve_secret = ", "secret = "), "unknown key");
  expect_refused(replaced(toml_, "name = \"policy@vm-12\"\n", ""), "name is missing");
  expect_refused(replaced(toml_, "role = \"policy\"", "role = 3"), "role must be a string");
  expect_refused("", "role is missing");
  expect_refused("role = ", "not valid TOML");
  expect_refused("[[#", "not valid TOML");
  expect_refused(toml_ + std::string(70'000, '#'), "larger than");
}

TEST_F(IdentityTest, RoleAndNameMustMatchCertificate) {
  expect_refused(replaced(toml_, "role = \"policy\"", "role = \"console\""), "name \"policy@vm-12\"");
  expect_refused(replaced(toml_, "policy@vm-12\"", "policy@vm-13\""), "and not for policy@vm-13");
  expect_refused(
      replaced(replaced(toml_, "role = \"policy\"", "role = \"console\""), "name = \"policy@", "name = \"console@"),
      "the certificate is for policy@vm-12");
  expect_refused(replaced(toml_, "role = \"policy\"", "role = \"root\""), "role \"root\"");
}

TEST_F(IdentityTest, KeysMustMatchEachOther) {
  expect_refused(replaced(toml_, policy_.private_key_pem, planner_.private_key_pem),
                 "does not belong to the certificate");
  expect_refused(replaced(toml_, policy_.curve_public, planner_.curve_public), "curve_public does not belong");
  expect_refused(replaced(toml_, policy_.curve_secret, planner_.curve_secret), "curve_public does not belong");
  expect_refused(replaced(toml_, policy_.curve_secret, policy_.curve_secret.substr(1)), "40 Z85 characters");
  expect_refused(replaced(toml_, policy_.curve_public, std::string(40, '~')), "40 Z85 characters");
}

TEST_F(IdentityTest, TamperedCertificateFailsVerification) {
  const std::string& pem = policy_.certificate_pem;
  int refused = 0;
  for (std::size_t at = 30; at + 30 < pem.size(); at += 7) {
    if (pem[at] == '\n') continue;
    std::string tampered = pem;
    tampered[at] = pem[at] == 'A' ? 'B' : 'A';
    if (!parse_identity(replaced(toml_, pem, tampered))) ++refused;
    // A certificate that can still be read has no valid signature.
    EXPECT_FALSE(verify_certificate(tampered, authority_.certificate_pem(), kNow)) << at;
    EXPECT_NE(fingerprint(tampered).value_or(""), authority_.peer_of(policy_).fingerprint) << at;
  }
  EXPECT_GT(refused, 20);
}

TEST_F(IdentityTest, PemMustBeOneBlockOfItsKind) {
  const std::string& pem = policy_.certificate_pem;
  for (const std::string& other :
       {std::string(), " " + pem, pem + pem, pem + "x", policy_.private_key_pem, pem.substr(0, pem.size() / 2),
        replaced(pem, "BEGIN CERTIFICATE", "BEGIN TRUSTED CERTIFICATE"), authority_.certificate_pem() + pem}) {
    EXPECT_FALSE(parse_identity(replaced(toml_, pem, other))) << other.substr(0, 40);
    EXPECT_FALSE(fingerprint(other)) << other.substr(0, 40);
  }
  EXPECT_FALSE(fingerprint(pem + std::string(20'000, '\n')));
  EXPECT_TRUE(fingerprint(pem + "\n"));
}

// By default, OpenSSL asks for a password at the terminal.
TEST_F(IdentityTest, EncryptedKeyIsRefusedWithoutPasswordPrompt) {
  ASSERT_TRUE(os::write_private_file(directory_.path() / "key.pem", policy_.private_key_pem));
  const auto encrypted = da::test::openssl(
      {"pkcs8", "-topk8", "-v2", "aes256", "-passout", "pass:x", "-in", (directory_.path() / "key.pem").string()});
  ASSERT_TRUE(encrypted.well);
  expect_refused(replaced(toml_, policy_.private_key_pem, encrypted.output), "PRIVATE KEY");
  expect_refused(replaced(toml_, policy_.private_key_pem, replaced(encrypted.output, "ENCRYPTED PRIVATE", "PRIVATE")),
                 "PRIVATE KEY");
}

TEST_F(IdentityTest, KeysOfAnotherKindAreRefused) {
  for (const auto& kind : {std::vector<std::string>{"genpkey", "-algorithm", "RSA"},
                           {"genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"},
                           {"genpkey", "-algorithm", "ED25519"}}) {
    const auto key = da::test::openssl(kind);
    ASSERT_TRUE(key.well);
    expect_refused(replaced(toml_, policy_.private_key_pem, key.output), "ECDSA P-256");
  }
}

// Self-signed certificates from openssl, each with one property that we refuse.
TEST_F(IdentityTest, CertificatesWithOtherContentAreRefused) {
  const std::string file = (directory_.path() / "k.pem").string();
  const auto made = [&](const std::string& subject, std::vector<std::string> extensions) {
    std::vector<std::string> arguments = {
        "req",     "-x509", "-newkey", "ec",    "-pkeyopt", "ec_paramgen_curve:P-256",  "-nodes",
        "-keyout", file,    "-subj",   subject, "-addext",  "basicConstraints=CA:FALSE"};
    for (std::string& extension : extensions) arguments.insert(arguments.end(), {"-addext", std::move(extension)});
    const auto said = da::test::openssl(arguments);
    EXPECT_TRUE(said.well);
    return read_certificate(said.output);
  };
  const std::string uses = "extendedKeyUsage=serverAuth,clientAuth";
  const std::string name = "subjectAltName=DNS:policy.desktopassist.internal";
  EXPECT_TRUE(made("/CN=policy@a", {uses, name}));
  EXPECT_FALSE(made("/CN=policy@a", {uses}));
  EXPECT_FALSE(made("/CN=policy@a", {name}));
  EXPECT_FALSE(made("/CN=policy@a", {name, "extendedKeyUsage=serverAuth"}));
  EXPECT_FALSE(made("/CN=policy@a", {name, "extendedKeyUsage=serverAuth,clientAuth,codeSigning"}));
  EXPECT_FALSE(made("/CN=planner@a", {uses, name}));
  EXPECT_FALSE(made("/O=x", {uses, name}));
  EXPECT_FALSE(made("/CN=policy@a/CN=policy@b", {uses, name}));
  EXPECT_FALSE(made("/CN=policy@a", {uses, name + ",DNS:console.desktopassist.internal"}));
  EXPECT_FALSE(made("/CN=policy@a", {uses, "subjectAltName=DNS:*.desktopassist.internal"}));
  EXPECT_FALSE(made("/CN=policy@a", {uses, "subjectAltName=email:policy.desktopassist.internal"}));
  EXPECT_FALSE(made("/CN=policy@a", {uses, "subjectAltName=DNS:policy.desktopassist.internal.evil"}));
}

TEST_F(IdentityTest, IsLoadedOnlyFromPrivateFile) {
  const auto file = directory_.path() / "policy.identity.toml";
  EXPECT_EQ(load_identity(file).error().code, Code::kNotFound);
  ASSERT_TRUE(os::write_private_file(file, toml_));
  EXPECT_EQ(load_identity(file)->name, "policy@vm-12");
  for (const mode_t mode : {0640U, 0604U, 0660U, 0601U}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    const auto loaded = load_identity(file);
    ASSERT_FALSE(loaded) << std::oct << mode;
    EXPECT_EQ(loaded.error().code, Code::kPermissionDenied);
    EXPECT_THAT(loaded.error().message, HasSubstr("chmod 600 " + file.string()));
  }
}

TEST_F(IdentityTest, IsNotLoadedFromLinkPipeOrDirectory) {
  const auto file = directory_.path() / "policy.identity.toml";
  ASSERT_TRUE(os::write_private_file(file, toml_));
  std::filesystem::create_symlink(file, directory_.path() / "link");
  const auto link = load_identity(directory_.path() / "link");
  ASSERT_FALSE(link);
  EXPECT_THAT(link.error().message, HasSubstr("is a link"));
  ASSERT_EQ(::mkfifo((directory_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(load_identity(directory_.path() / "pipe"));
  EXPECT_FALSE(load_identity(directory_.path()));
}

TEST_F(IdentityTest, ErrorNamesTheFile) {
  const auto file = directory_.path() / "policy.identity.toml";
  ASSERT_TRUE(os::write_private_file(file, toml_ + "more = 1\n"));
  EXPECT_THAT(load_identity(file).error().message, HasSubstr(file.string() + ": line "));
}

class PeersTest : public IdentityTest {
 protected:
  PeersTest() {
    peers_.ca_pem = authority_.certificate_pem();
    for (const Identity* identity : {&policy_, &planner_}) peers_.list.push_back(authority_.peer_of(*identity));
  }
  void expect_refused(const std::string& toml, const std::string& because) const {
    const auto parsed = parse_peers(toml);
    ASSERT_FALSE(parsed) << because;
    EXPECT_THAT(parsed.error().message, HasSubstr(because));
  }
  Peers peers_;
};

TEST_F(PeersTest, SurviveTomlRoundTrip) {
  peers_.list[1].revoked = true;
  const auto read = parse_peers(to_toml(peers_));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->ca_pem, peers_.ca_pem);
  ASSERT_EQ(read->list.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read->list[i].role, peers_.list[i].role);
    EXPECT_EQ(read->list[i].name, peers_.list[i].name);
    EXPECT_EQ(read->list[i].fingerprint, peers_.list[i].fingerprint);
    EXPECT_EQ(read->list[i].curve_public, peers_.list[i].curve_public);
    EXPECT_EQ(read->list[i].revoked, i == 1);
    EXPECT_EQ(read->list[i].expires, peers_.list[i].expires);
    EXPECT_NE(read->list[i].expires, WallTime::max());
  }
  EXPECT_EQ(parse_peers(to_toml(Peers{peers_.ca_pem, {}}))->list.size(), 0U);
}

TEST_F(PeersTest, UnknownAndRevokedPeersAreNotFound) {
  EXPECT_EQ(peers_.by_fingerprint(peers_.list[0].fingerprint), peers_.list.data());
  EXPECT_EQ(peers_.by_curve_key(peers_.list[1].curve_public), &peers_.list[1]);
  EXPECT_EQ(peers_.by_role(Role::kPlanner), &peers_.list[1]);
  EXPECT_EQ(peers_.by_role(Role::kActuator), nullptr);
  for (const std::string& unknown : {std::string(), std::string(64, '0'), peers_.list[0].fingerprint.substr(1)}) {
    EXPECT_EQ(peers_.by_fingerprint(unknown), nullptr);
    EXPECT_EQ(peers_.by_curve_key(unknown), nullptr);
  }
  peers_.list[1].revoked = true;
  EXPECT_EQ(peers_.by_fingerprint(peers_.list[1].fingerprint), nullptr);
  EXPECT_EQ(peers_.by_curve_key(peers_.list[1].curve_public), nullptr);
  EXPECT_EQ(peers_.by_role(Role::kPlanner), nullptr);
  peers_.list.push_back(authority_.peer_of(issue(Role::kPlanner)));
  EXPECT_EQ(peers_.by_role(Role::kPlanner), &peers_.list[2]) << "the replacement";
}

TEST_F(PeersTest, ExpiryMayHaveAnyOffsetOrBeMissing) {
  peers_.list.resize(1);
  peers_.list[0].expires = WallTime::max();
  const std::string toml = to_toml(peers_);
  EXPECT_EQ(parse_peers(toml)->list[0].expires, WallTime::max());
  const auto at = [&](const std::string& text) { return format_wall(parse_peers(toml + text)->list[0].expires); };
  EXPECT_EQ(at("expires = 2027-03-01T01:30:00.5+02:00\n"), "2027-02-28T23:30:00.500Z");
  EXPECT_EQ(at("expires = 2026-12-31 20:00:00-05:00\n"), "2027-01-01T01:00:00.000Z");
  EXPECT_EQ(parse_peers(toml + "expires = 9999-12-31T00:00:00Z\n")->list[0].expires, WallTime::max());
}

TEST_F(PeersTest, ExpiredPeerIsNotFoundAndIsNotifiedOnce) {
  ManualClock clock;
  peers_.list[1].expires = clock.wall_now() + std::chrono::hours(1);
  KnownPeers known(peers_, clock);
  int notifications = 0;
  const KnownPeers::Listener listener(known, [&] { ++notifications; });
  known.notify_expired();
  EXPECT_TRUE(known.by_role(Role::kPlanner));
  EXPECT_EQ(notifications, 0);
  clock.advance(std::chrono::hours(1));
  known.notify_expired();
  known.notify_expired();
  EXPECT_EQ(notifications, 1);
  EXPECT_FALSE(known.by_role(Role::kPlanner));
  EXPECT_FALSE(known.by_fingerprint(peers_.list[1].fingerprint));
  EXPECT_FALSE(known.by_curve_key(peers_.list[1].curve_public));
}

TEST_F(PeersTest, InvalidPeersAreRefused) {
  const std::string toml = to_toml(peers_);
  expect_refused("", "ca is missing");
  expect_refused(replaced(toml, "ca = ", "authority = "), "unknown key");
  expect_refused(toml + "trust = \"all\"\n", "unknown key \"trust\"");
  expect_refused(replaced(toml, authority_.certificate_pem(), policy_.certificate_pem), "not a CA certificate");
  expect_refused(replaced(toml, authority_.certificate_pem(), "nonsense\n"), "PEM");
  expect_refused(replaced(toml, "role = \"policy\"", "role = \"console\""), "name \"policy@vm-12\"");
  expect_refused(replaced(toml, "fingerprint = \"", "fingerprint = \"0"), "64 hexadecimal digits");
  expect_refused(replaced(toml, peers_.list[0].curve_public, "short"), "40 Z85");
  expect_refused(toml + "revoked = \"no\"\n", "true or false");
  const std::string expires = "expires = ";
  for (const std::string wrong : {"\"2027-01-31T12:00:00Z\"", "2027-01-31T12:00:00", "2027-01-31", "1"})
    expect_refused(replaced(toml, expires, expires + wrong + "\n# "), "a date and a time with its offset");
  expect_refused(std::string(2 << 20, '#'), "larger than");
  expect_refused("peer = [1]\n" + toml.substr(0, toml.find("[[peer]]")), "only [[peer]] tables");
}

TEST_F(PeersTest, DuplicatePeersAreRefused) {
  Peers twice = peers_;
  twice.list.push_back(peers_.list[0]);
  expect_refused(to_toml(twice), "listed twice");
  twice.list[2].revoked = true;
  expect_refused(to_toml(twice), "listed twice");
  twice.list[2] = authority_.peer_of(issue(Role::kPolicy));
  expect_refused(to_toml(twice), "listed twice");
  twice.list[0].revoked = true;  // A replacement may reuse the name.
  EXPECT_TRUE(parse_peers(to_toml(twice)));
  twice.list[2].curve_public = twice.list[1].curve_public;
  expect_refused(to_toml(twice), "listed twice");
}

TEST_F(PeersTest, AreLoadedOnlyFromFileThatOthersCannotWrite) {
  const auto file = directory_.path() / "peers.toml";
  ASSERT_TRUE(os::write_private_file(file, to_toml(peers_)));
  for (const mode_t mode : {0600U, 0644U, 0444U}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    EXPECT_TRUE(load_peers(file)) << std::oct << mode;
  }
  for (const mode_t mode : {0664U, 0646U}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    EXPECT_EQ(load_peers(file).error().code, Code::kPermissionDenied) << std::oct << mode;
  }
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  std::filesystem::create_symlink(file, directory_.path() / "link");
  EXPECT_FALSE(load_peers(directory_.path() / "link"));
}

}  // namespace
}  // namespace da::identity
