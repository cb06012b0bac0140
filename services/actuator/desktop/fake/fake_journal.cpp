#include "services/actuator/desktop/fake/fake_journal.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "lib/base/fault_point.h"
#include "lib/base/text.h"

namespace da::actuator::fake {

Result<FakeJournal> FakeJournal::open(const std::filesystem::path& file) {
  os::UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd) return posix_error("open the journal " + file.string(), errno);
  return FakeJournal(std::move(fd));
}

void FakeJournal::record(std::string_view effect) {
  const std::string line = escape_foreign(effect) + "\n";
  if (::write(fd_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    spdlog::critical("write the fake desktop's journal: {}", std::strerror(errno));
    std::abort();
  }
  DA_FAULT_POINT("actuator.after_effect");
}

}  // namespace da::actuator::fake
