#include "services/console/deployment/register.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/base/toml.h"
#include "lib/identity/permissions.h"
#include "lib/os/files/files.h"

namespace da::console {
namespace {

using identity::Role;

constexpr std::size_t kLargestFile = 8 << 20;

Result<std::string> text_of(const toml::table& table, std::string_view key) {
  const auto* value = table.get_as<std::string>(key);
  if (value == nullptr) return toml_error(table, std::string(key) + " is missing, or is not a string");
  return value->get();
}

Result<std::vector<const toml::table*>> tables_of(const toml::table& root, std::string_view name) {
  std::vector<const toml::table*> tables;
  const toml::node* list = root.get(name);
  if (list == nullptr) return tables;
  if (!list->is_array_of_tables()) return toml_error(*list, "only [[" + std::string(name) + "]] tables are expected");
  for (const toml::node& node : *list->as_array()) tables.push_back(node.as_table());
  return tables;
}

Result<Machine> read_machine(const toml::table& table) {
  RETURN_IF_ERROR(check_toml_keys(table, {"name", "address", "roles"}));
  Machine machine;
  ASSIGN_OR_RETURN(machine.name, text_of(table, "name"));
  ASSIGN_OR_RETURN(machine.address, text_of(table, "address"));
  const toml::array* roles = table.get_as<toml::array>("roles");
  if (roles == nullptr) return toml_error(table, "roles is missing, or is not a list");
  for (const toml::node& node : *roles) {
    ASSIGN_OR_RETURN(const Role role, identity::parse_role(node.value_exact<std::string>().value_or("")));
    RETURN_IF_ERROR(identity::check_name(role, machine.process_name(role)));
    machine.roles.push_back(role);
  }
  return machine;
}

Result<Issued> read_issued(const toml::table& table) {
  RETURN_IF_ERROR(check_toml_keys(table, {"certificate", "curve_public", "revoked"}));
  Issued issued{};
  ASSIGN_OR_RETURN(issued.certificate_pem, text_of(table, "certificate"));
  ASSIGN_OR_RETURN(issued.certificate, identity::read_certificate(issued.certificate_pem));
  ASSIGN_OR_RETURN(issued.curve_public, text_of(table, "curve_public"));
  const auto* revoked = table.get_as<bool>("revoked");
  if (revoked == nullptr) return toml_error(table, "revoked is missing, or is not true or false");
  issued.revoked = revoked->get();
  return issued;
}

Result<toml::table> parse_table(std::string_view text) {
  if (text.size() > kLargestFile) {
    return Error{Code::kResourceExhausted, "larger than " + std::to_string(kLargestFile) + " bytes"};
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return Error{Code::kInvalidArgument,
                 "line " + std::to_string(error.source().begin.line) + ": " + std::string(error.description())};
  } catch (const std::logic_error& failure) {
    return Error{Code::kInvalidArgument, failure.what()};
  }
}

}  // namespace

std::string to_toml(const Register& record) {
  std::string text = "# What this authority has issued, and for which machines.\nca = '''\n" + record.ca_pem + "'''\n";
  for (const Machine& machine : record.machines) {
    text += "\n[[machine]]\nname = " + quote_toml(machine.name) + "\naddress = " + quote_toml(machine.address) +
            "\nroles = [";
    for (const Role role : machine.roles) {
      text += (role == machine.roles.front() ? "" : ", ") + quote_toml(to_string(role));
    }
    text += "]\n";
  }
  for (const Issued& issued : record.issued) {
    text += "\n[[issued]]  # " + issued.certificate.name + "\ncertificate = '''\n" + issued.certificate_pem +
            "'''\ncurve_public = '" + issued.curve_public + "'\nrevoked = " + (issued.revoked ? "true" : "false") +
            "\n";
  }
  return text;
}

Result<Register> parse_register(std::string_view text) {
  ASSIGN_OR_RETURN(const toml::table root, parse_table(text));
  RETURN_IF_ERROR(check_toml_keys(root, {"ca", "machine", "issued"}));
  Register record;
  ASSIGN_OR_RETURN(record.ca_pem, text_of(root, "ca"));
  ASSIGN_OR_RETURN(const auto machines, tables_of(root, "machine"));
  for (const toml::table* table : machines) {
    ASSIGN_OR_RETURN(Machine machine, read_machine(*table));
    record.machines.push_back(std::move(machine));
  }
  ASSIGN_OR_RETURN(const auto all_issued, tables_of(root, "issued"));
  for (const toml::table* table : all_issued) {
    ASSIGN_OR_RETURN(Issued issued, read_issued(*table));
    record.issued.push_back(std::move(issued));
  }
  return record;
}

Result<Register> Register::load(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const std::string text, os::read_trusted_file(file, kLargestFile));
  auto record = parse_register(text);
  if (!record) return Error{record.error().code, file.string() + ": " + record.error().message};
  return record;
}

Result<void> Register::save(const std::filesystem::path& file) const {
  return os::write_private_file(file, to_toml(*this));
}

Result<void> Register::add(const identity::Identity& identity) {
  ASSIGN_OR_RETURN(auto certificate, identity::read_certificate(identity.certificate_pem));
  issued.push_back({std::move(certificate), identity.certificate_pem, identity.curve_public});
  return ok();
}

Issued* Register::find_live(std::string_view name) {
  const auto found =
      std::ranges::find_if(issued, [&](const Issued& one) { return !one.revoked && one.certificate.name == name; });
  return found == issued.end() ? nullptr : &*found;
}

Result<Machine> Register::machine_for(std::string_view name) const {
  std::string names;
  for (const Machine& machine : machines) {
    for (const Role role : machine.roles) {
      const std::string known = machine.process_name(role);
      if (known == name) return machine;
      names += (names.empty() ? "" : ", ") + known;
    }
  }
  return Error{Code::kNotFound,
               "there is no \"" + escape_foreign(name, 80) + "\" in this deployment; there are " + names};
}

identity::Peers Register::peers_of(const Machine& machine, WallTime now) const {
  identity::Peers peers{ca_pem, {}};
  for (const Issued& one : issued) {
    const auto deals = [&](Role own) { return identity::may_communicate(own, one.certificate.role); };
    if (std::ranges::none_of(machine.roles, deals) || (one.revoked && one.certificate.not_after < now)) continue;
    peers.list.push_back(
        {one.certificate.role, one.certificate.name, one.certificate.fingerprint, one.curve_public, one.revoked});
  }
  return peers;
}

}  // namespace da::console
