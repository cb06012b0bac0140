#include "lib/service/parent.h"

namespace da::service {

void Parent::add_flags(CLI::App&, const std::string&) {}

bool Parent::is_gone() const { return false; }

Result<std::optional<identity::Identity>> Parent::take_identity() { return std::optional<identity::Identity>(); }

Result<std::optional<std::string>> Parent::take_secret() { return std::optional<std::string>(); }

void Parent::report_ready() {}

}  // namespace da::service
