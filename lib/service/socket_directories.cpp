#include "lib/service/socket_directories.h"

#include "lib/base/path_text.h"
#include "lib/os/files/files.h"

namespace da::service {

Result<void> make_socket_directories(const Config& config, const std::string& service) {
  for (const auto& [key, scheme] : {std::pair("endpoints." + service, "unix:"),
                                    {"bus." + service + ".facts", "ipc://"},
                                    {"bus." + service + ".images", "ipc://"}}) {
    ASSIGN_OR_RETURN(const auto endpoint, config.find_string(key));
    if (!endpoint || !endpoint->starts_with(scheme)) continue;
    const auto directory = path_of(endpoint->substr(std::string_view(scheme).size())).parent_path();
    std::error_code error;
    if (directory.empty() || std::filesystem::exists(directory, error)) continue;
    RETURN_IF_ERROR(os::make_private_directory(directory));
  }
  return ok();
}

}  // namespace da::service
