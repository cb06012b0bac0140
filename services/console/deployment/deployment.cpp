#include "services/console/deployment/deployment.h"

#include <algorithm>

#include "lib/identity/certificate_authority.h"
#include "lib/os/files/files.h"
#include "services/console/deployment/host_config.h"
#include "services/console/session/signing_key.h"

namespace da::console {
namespace {

using identity::CertificateAuthority;
using identity::Identity;
using identity::Role;

constexpr const char* kAuthorityDirectory = "ca";
constexpr std::size_t kLargestPeers = 1 << 20;

std::filesystem::path register_file(const std::filesystem::path& directory) {
  return directory / kAuthorityDirectory / "register.toml";
}

Result<void> check_nothing_is_there(const std::filesystem::path& directory, const Layout& layout) {
  std::vector<std::string> names = {kAuthorityDirectory};
  for (const Machine& machine : layout.machines) names.push_back(machine.name);
  for (const std::string& name : names) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(directory / name, error))) continue;
    return Error{
        Code::kAlreadyExists,
        (directory / name).string() + " already exists. To issue a new certificate: da-console keys rotate. " +
            "--force replaces everything by a new authority and new keys, and every machine needs its files again"};
  }
  return ok();
}

Result<void> write_machine(const std::filesystem::path& place, const Layout& layout, const Machine& machine,
                           const std::string& rules, const SigningKey& key) {
  for (const Role role : machine.roles) {
    RETURN_IF_ERROR(
        os::write_private_file(place / config_file(role), host_config(layout, machine, role, key.public_hex)));
    if (role != Role::kPolicy) continue;
    RETURN_IF_ERROR(os::write_private_file(place / kSigningKeyFile, key.secret_hex));
    RETURN_IF_ERROR(os::write_private_file(place / kRulesFile, rules));
  }
  return ok();
}

}  // namespace

Result<Deployment> Deployment::create(const std::filesystem::path& directory, const Layout& layout,
                                      const std::filesystem::path& rules_file, Existing existing, WallTime now) {
  if (existing == Existing::kKeep) {
    RETURN_IF_ERROR(check_nothing_is_there(directory, layout));
  }
  ASSIGN_OR_RETURN(const std::string rules, os::read_file(rules_file));
  RETURN_IF_ERROR(os::make_private_directory(directory));
  ASSIGN_OR_RETURN(const CertificateAuthority authority,
                   CertificateAuthority::create("DesktopAssist authority", {now, kAuthorityLasts}));
  RETURN_IF_ERROR(authority.save(directory / kAuthorityDirectory));
  const SigningKey key = make_signing_key();
  Deployment deployment(directory, {authority.certificate_pem(), layout.machines, {}});
  for (const Machine& machine : layout.machines) {
    const auto place = directory / machine.name;
    RETURN_IF_ERROR(os::make_private_directory(place));
    RETURN_IF_ERROR(write_machine(place, layout, machine, rules, key));
    for (const Role role : machine.roles) {
      ASSIGN_OR_RETURN(const Identity identity,
                       authority.issue(role, machine.process_name(role), {now, kIdentityLasts}));
      RETURN_IF_ERROR(os::write_private_file(place / identity_file(role), to_toml(identity)));
      RETURN_IF_ERROR(deployment.register_.add(identity));
    }
  }
  RETURN_IF_ERROR(deployment.register_.save(register_file(directory)));
  ASSIGN_OR_RETURN(const auto deliveries, deployment.write_peers(now));
  static_cast<void>(deliveries);  // Everything is new.
  return deployment;
}

Result<Deployment> Deployment::open(const std::filesystem::path& directory) {
  auto record = Register::load(register_file(directory));
  if (!record) {
    return Error{record.error().code, record.error().message + "; make a deployment with da-console init DIR"};
  }
  return Deployment(directory, *std::move(record));
}

Result<std::vector<Delivery>> Deployment::rotate(std::string_view name, WallTime now) {
  ASSIGN_OR_RETURN(const Machine machine, register_.machine_for(name));
  ASSIGN_OR_RETURN(const CertificateAuthority authority, CertificateAuthority::load(directory_ / kAuthorityDirectory));
  ASSIGN_OR_RETURN(const Role role, identity::parse_role(name.substr(0, name.find('@'))));
  ASSIGN_OR_RETURN(const Identity identity, authority.issue(role, std::string(name), {now, kIdentityLasts}));
  if (Issued* old = register_.find_live(name)) old->revoked = true;
  RETURN_IF_ERROR(register_.add(identity));
  // Save the register first: if a later step fails, another rotate repairs it.
  RETURN_IF_ERROR(register_.save(register_file(directory_)));
  const auto file = directory_ / machine.name / identity_file(role);
  RETURN_IF_ERROR(os::make_private_directory(file.parent_path()));
  RETURN_IF_ERROR(os::write_private_file(file, to_toml(identity)));
  ASSIGN_OR_RETURN(auto deliveries, write_peers(now));
  auto own = std::ranges::find(deliveries, machine.name, [](const Delivery& one) { return one.machine.name; });
  if (own == deliveries.end()) own = deliveries.insert(deliveries.begin(), Delivery{machine, {}});
  own->files.insert(own->files.begin(), file);
  return deliveries;
}

Result<std::vector<Delivery>> Deployment::revoke(std::string_view name, WallTime now) {
  ASSIGN_OR_RETURN(const Machine machine, register_.machine_for(name));
  Issued* live = register_.find_live(name);
  if (live == nullptr) {
    return Error{Code::kFailedPrecondition,
                 std::string(name) + " is already revoked; da-console keys rotate makes a new key"};
  }
  const auto file = directory_ / machine.name / identity_file(live->certificate.role);
  live->revoked = true;
  RETURN_IF_ERROR(register_.save(register_file(directory_)));
  std::error_code ignored;  // The file may be gone already.
  std::filesystem::remove(file, ignored);
  return write_peers(now);
}

Result<std::vector<Delivery>> Deployment::write_peers(WallTime now) const {
  std::vector<Delivery> deliveries;
  for (const Machine& machine : register_.machines) {
    const auto file = directory_ / machine.name / kPeersFile;
    const std::string text = to_toml(register_.peers_of(machine, now));
    const auto before = os::read_file(file, kLargestPeers);
    if (before && *before == text) continue;
    RETURN_IF_ERROR(os::make_private_directory(directory_ / machine.name));
    RETURN_IF_ERROR(os::make_private_directory(file.parent_path()));
    RETURN_IF_ERROR(os::write_private_file(file, text));
    deliveries.push_back({machine, {file}});
  }
  return deliveries;
}

}  // namespace da::console
