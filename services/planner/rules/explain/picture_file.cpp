#include "services/planner/rules/explain/picture_file.h"

#include "lib/os/files/memory_file.h"
#include "lib/service/picture_analysis.h"

namespace da::planner::rules {
namespace {

os::Command observer() {
  os::Command command;
  command.program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "da-observer").string();
  command.environment = os::current_environment();
  return command;
}

}  // namespace

Result<std::vector<v1::AnalyzeReply>> analyze_file(const std::filesystem::path& image,
                                                   const std::vector<v1::AnalyzeRequest>& requests) {
  return service::analyze_picture(observer(), image, requests);
}

Result<std::vector<v1::AnalyzeReply>> analyze_bytes(const std::string& image,
                                                    const std::vector<v1::AnalyzeRequest>& requests) {
  ASSIGN_OR_RETURN(const auto file, os::make_memory_file(image));
  os::Command command = observer();
  command.inherited = {file.get()};
  return service::analyze_picture(std::move(command), "/proc/self/fd/" + std::to_string(file.get()), requests);
}

}  // namespace da::planner::rules
