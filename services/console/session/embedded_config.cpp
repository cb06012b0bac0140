#include "services/console/session/embedded_config.h"

#include <sstream>

#include "lib/base/text.h"
#include "lib/identity/certificate_authority.h"
#include "lib/os/files/files.h"
#include "services/console/deployment/host_config.h"
#include "services/console/session/signing_key.h"

namespace da::console {
namespace {

constexpr const char* kConsoleIdentityFile = "console.identity.toml";
constexpr std::chrono::hours kLongestRun{90 * 24};

void write_planner(std::ostringstream& toml, const EmbeddedLayout& layout) {
  toml << "\n[planner]\n";
  if (layout.question_expiry > Milliseconds(0)) {
    toml << "question_expiry_ms = " << layout.question_expiry.count() << "\n";
  }
  for (const PlannerLine& line : layout.planner) toml << line.key << " = " << line.toml << "\n";
}

void write_logs(std::ostringstream& toml, const EmbeddedLayout& layout) {
  const EmbeddedLogs& logs = layout.logs;
  toml << "\n[log]\nconsole = " << quote_toml(logs.console) << "\n";
  if (layout.replay_wall_offset) toml << "directory = \"logs\"\n";
  if (!logs.level.empty()) toml << "level = " << quote_toml(logs.level) << "\n";
  if (!logs.file.empty()) toml << "file = " << quote_toml(logs.file) << "\n";
  if (!logs.files) toml << "files = false\n";
}

void write_replay(std::ostringstream& toml, const EmbeddedLayout& layout) {
  toml << "\n[replay]\nwall_offset_ms = " << layout.replay_wall_offset->count() << "\n";
}

// Drops the CA's key afterwards, so that no identity can be added to the run.
Result<std::map<std::string, identity::Identity>> make_identities(const std::filesystem::path& directory) {
  const identity::Validity validity{system_clock().wall_now(), kLongestRun};
  ASSIGN_OR_RETURN(const auto authority, identity::CertificateAuthority::create("an embedded run", validity));
  identity::Peers peers{authority.certificate_pem(), {}};
  std::map<std::string, identity::Identity> identities;
  for (const identity::Role role : identity::kRoles) {
    const std::string name(to_string(role));
    ASSIGN_OR_RETURN(auto identity, authority.issue(role, name + "@embedded", validity));
    peers.list.push_back(authority.peer_of(identity));
    if (role == identity::Role::kConsole) {
      RETURN_IF_ERROR(os::write_private_file(directory / kConsoleIdentityFile, to_toml(identity)));
    } else {
      identities.emplace(name, std::move(identity));
    }
  }
  RETURN_IF_ERROR(os::make_private_directory((directory / kPeersFile).parent_path()));
  RETURN_IF_ERROR(os::write_private_file(directory / kPeersFile, to_toml(peers)));
  return identities;
}

}  // namespace

Result<HandedOver> write_embedded_config(const EmbeddedLayout& layout) {
  const SigningKey key = make_signing_key();
  ASSIGN_OR_RETURN(const Layout routes, parse_layout({}, layout.backend, layout.directory));
  for (const identity::Role role : identity::kRoles) {
    const std::string name(to_string(role));
    std::ostringstream toml;
    toml << "desktop = " << quote_toml(layout.desktop) << "\n";
    write_logs(toml, layout);
    toml << "\n[peers]\nfile = \"" << kPeersFile << "\"\n\n";
    if (role == identity::Role::kConsole) toml << "[identity]\nfile = \"" << kConsoleIdentityFile << "\"\n\n";
    write_routes(toml, routes, role);
    if (layout.replay_wall_offset) write_replay(toml, layout);
    if (name == "actuator") {
      toml << "\n[actuator]\nbackend = " << quote_toml(layout.backend)
           << "\npolicy_key = " << quote_toml(key.public_hex) << "\n";
      if (!layout.secrets.empty()) toml << "secrets = " << quote_toml(layout.secrets.string()) << "\n";
      if (!layout.masks.empty()) toml << "masks = " << quote_toml(layout.masks.string()) << "\n";
      if (!layout.journal.empty()) toml << "journal = " << quote_toml(layout.journal) << "\n";
    } else if (name == "policy") {
      toml << "\n[policy]\nrules = " << quote_toml(layout.rules.string()) << "\n";
      if (layout.replay_wall_offset) toml << "state = \"state\"\n";
      if (!layout.notify.empty()) toml << "notify = [" << quote_toml(layout.notify) << "]\n";
      if (!layout.recorded) toml << "\n[recording]\nrequired = false\n";
    }
    if (name == "planner") write_planner(toml, layout);
    RETURN_IF_ERROR(os::write_private_file(layout.directory / (name + ".toml"), toml.str()));
  }
  ASSIGN_OR_RETURN(auto identities, make_identities(layout.directory));
  return HandedOver{std::move(identities), key.secret_hex};
}

}  // namespace da::console
