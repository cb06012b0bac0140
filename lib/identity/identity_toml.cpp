// Identities and peers to TOML, and back.
#include <sodium.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "lib/base/text.h"
#include "lib/base/toml.h"
#include "lib/identity/certificate.h"
#include "lib/identity/identity.h"
#include "lib/identity/openssl.h"
#include "lib/identity/z85.h"

namespace da::identity {
namespace {

constexpr std::size_t kLargestIdentity = 64 << 10;
constexpr std::size_t kLargestPeers = 1 << 20;
constexpr std::size_t kMostPeers = 1000;
constexpr std::size_t kFingerprintDigits = 64;
constexpr std::size_t kCurveCharacters = 40;

Result<toml::table> parse(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Error{Code::kResourceExhausted, "larger than " + std::to_string(max_bytes) + " bytes"};
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    // toml++'s message quotes the input, which may be a key.
    return Error{Code::kInvalidArgument,
                 "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": not valid TOML"};
  } catch (const std::logic_error&) {
    return Error{Code::kInvalidArgument, "not valid TOML"};
  }
}

Result<std::string> string_of(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return toml_error(table, std::string(key) + " is missing");
  const auto* value = node->as_string();
  if (value == nullptr) return toml_error(*node, std::string(key) + " must be a string");
  return value->get();
}

Result<std::string> curve_key_of(const toml::table& table, std::string_view key) {
  ASSIGN_OR_RETURN(std::string text, string_of(table, key));
  if (text.size() != kCurveCharacters || !z85_decode(text)) {
    return toml_error(*table.get(key), std::string(key) + " must be a key of 40 Z85 characters");
  }
  return text;
}

Result<void> check_curve_pair(const Identity& identity) {
  const std::string public_key = z85_decode(identity.curve_public).value();
  std::string secret_key = z85_decode(identity.curve_secret).value();
  std::array<unsigned char, crypto_scalarmult_BYTES> derived{};
  const int bad = crypto_scalarmult_base(derived.data(), reinterpret_cast<const unsigned char*>(secret_key.data()));
  sodium_memzero(secret_key.data(), secret_key.size());
  if (bad != 0 || sodium_memcmp(derived.data(), public_key.data(), derived.size()) != 0) {
    return Error{Code::kInvalidArgument, "curve_public does not belong to curve_secret"};
  }
  return ok();
}

Result<void> check_belongs_together(const Identity& identity) {
  ASSIGN_OR_RETURN(const Certificate said, read_certificate(identity.certificate_pem));
  if (said.role != identity.role || said.name != identity.name) {
    return Error{Code::kInvalidArgument, "the certificate is for " + said.name + ", role " +
                                             std::string(to_string(said.role)) + ", and not for " + identity.name +
                                             ", role " + std::string(to_string(identity.role))};
  }
  ASSIGN_OR_RETURN(const UniqueCertificate certificate, certificate_from_pem(identity.certificate_pem));
  ASSIGN_OR_RETURN(const UniqueKey key, key_from_pem(identity.private_key_pem));
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return openssl_error("the private key does not belong to the certificate");
  }
  return check_curve_pair(identity);
}

Result<WallTime> wall_time_of(const toml::node& node) {
  const auto* value = node.as_date_time();
  if (value == nullptr || !value->get().offset) {
    return toml_error(node, "expires must be a date and a time with its offset, such as 2027-01-31T12:00:00Z");
  }
  const auto& [date, time, offset] = value->get();
  const std::chrono::year_month_day day{std::chrono::year(date.year), std::chrono::month(date.month),
                                        std::chrono::day(date.day)};
  // The limit of a WallTime.
  if (date.year > 2261) return WallTime::max();
  return WallTime(std::chrono::sys_days(day)) + std::chrono::hours(time.hour) + std::chrono::minutes(time.minute) +
         std::chrono::seconds(time.second) + Nanoseconds(time.nanosecond) - std::chrono::minutes(offset->minutes);
}

Result<Peer> read_peer(const toml::table& table) {
  RETURN_IF_ERROR(check_toml_keys(table, {"role", "name", "fingerprint", "curve_public", "expires", "revoked"}));
  Peer peer{};
  ASSIGN_OR_RETURN(const std::string role, string_of(table, "role"));
  ASSIGN_OR_RETURN(peer.role, parse_role(role));
  ASSIGN_OR_RETURN(peer.name, string_of(table, "name"));
  RETURN_IF_ERROR(check_name(peer.role, peer.name));
  ASSIGN_OR_RETURN(peer.fingerprint, string_of(table, "fingerprint"));
  if (peer.fingerprint.size() != kFingerprintDigits ||
      peer.fingerprint.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return toml_error(*table.get("fingerprint"), "fingerprint must be 64 hexadecimal digits, in lower case");
  }
  ASSIGN_OR_RETURN(peer.curve_public, curve_key_of(table, "curve_public"));
  if (const toml::node* revoked = table.get("revoked")) {
    if (!revoked->is_boolean()) return toml_error(*revoked, "revoked must be true or false");
    peer.revoked = revoked->as_boolean()->get();
  }
  if (const toml::node* expires = table.get("expires")) {
    ASSIGN_OR_RETURN(peer.expires, wall_time_of(*expires));
  }
  return peer;
}

std::string block(std::string_view key, const std::string& pem) {
  return std::string(key) + " = '''\n" + pem + "'''\n";
}

}  // namespace

std::string to_toml(const Identity& identity) {
  return "# Secret identity of " + identity.name + ": keep it on its own machine, with mode 0600.\nrole = \"" +
         std::string(to_string(identity.role)) + "\"\nname = \"" + identity.name + "\"\n" +
         block("certificate", identity.certificate_pem) + block("private_key", identity.private_key_pem) +
         "curve_public = '" + identity.curve_public + "'\ncurve_secret = '" + identity.curve_secret + "'\n";
}

Result<Identity> parse_identity(std::string_view text) {
  ASSIGN_OR_RETURN(const toml::table table, parse(text, kLargestIdentity));
  RETURN_IF_ERROR(
      check_toml_keys(table, {"role", "name", "certificate", "private_key", "curve_public", "curve_secret"}));
  Identity identity;
  ASSIGN_OR_RETURN(const std::string role, string_of(table, "role"));
  ASSIGN_OR_RETURN(identity.role, parse_role(role));
  ASSIGN_OR_RETURN(identity.name, string_of(table, "name"));
  RETURN_IF_ERROR(check_name(identity.role, identity.name));
  ASSIGN_OR_RETURN(identity.certificate_pem, string_of(table, "certificate"));
  ASSIGN_OR_RETURN(identity.private_key_pem, string_of(table, "private_key"));
  ASSIGN_OR_RETURN(identity.curve_public, curve_key_of(table, "curve_public"));
  ASSIGN_OR_RETURN(identity.curve_secret, curve_key_of(table, "curve_secret"));
  RETURN_IF_ERROR(check_belongs_together(identity));
  return identity;
}

std::string to_toml(const Peers& peers) {
  std::string text = "# Peers that this machine trusts. Nobody else may write this file.\n" + block("ca", peers.ca_pem);
  for (const Peer& peer : peers.list) {
    text += "\n[[peer]]\nrole = \"" + std::string(to_string(peer.role)) + "\"\nname = \"" + peer.name +
            "\"\nfingerprint = \"" + peer.fingerprint + "\"\ncurve_public = '" + peer.curve_public + "'\n";
    if (peer.expires != WallTime::max()) text += "expires = " + format_wall(peer.expires) + "\n";
    if (peer.revoked) text += "revoked = true\n";
  }
  return text;
}

Result<Peers> parse_peers(std::string_view text) {
  ASSIGN_OR_RETURN(const toml::table table, parse(text, kLargestPeers));
  RETURN_IF_ERROR(check_toml_keys(table, {"ca", "peer"}));
  Peers peers;
  ASSIGN_OR_RETURN(peers.ca_pem, string_of(table, "ca"));
  ASSIGN_OR_RETURN(const UniqueCertificate authority, certificate_from_pem(peers.ca_pem));
  if (X509_check_ca(authority.get()) != 1) return Error{Code::kInvalidArgument, "ca is not a CA certificate"};
  const toml::node* list = table.get("peer");
  if (list == nullptr) return peers;
  if (!list->is_array_of_tables()) return toml_error(*list, "only [[peer]] tables are expected");
  if (list->as_array()->size() > kMostPeers) {
    return toml_error(*list, "more than " + std::to_string(kMostPeers) + " peers");
  }
  std::set<std::string> seen;
  for (const toml::node& node : *list->as_array()) {
    ASSIGN_OR_RETURN(Peer peer, read_peer(*node.as_table()));
    // Duplicates would let a revoked key return under another name, or two processes share one identity.
    if (!seen.insert(peer.fingerprint).second || !seen.insert(peer.curve_public).second ||
        (!peer.revoked && !seen.insert(peer.name).second)) {
      return toml_error(node, "peer " + peer.name + ": its name, fingerprint or key is listed twice");
    }
    peers.list.push_back(std::move(peer));
  }
  return peers;
}

}  // namespace da::identity
