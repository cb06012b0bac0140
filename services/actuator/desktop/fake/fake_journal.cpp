#include "services/actuator/desktop/fake/fake_journal.h"

#include <spdlog/spdlog.h>

#include <cstdlib>

#include "lib/base/text.h"
#include "lib/os/fault_point/fault_point.h"

namespace da::actuator::fake {

Result<FakeJournal> FakeJournal::open(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(auto opened, os::AppendFile::open(file));
  return FakeJournal(std::move(opened));
}

void FakeJournal::record(std::string_view effect) {
  if (const auto written = file_->append(escape_foreign(effect) + "\n"); !written) {
    spdlog::critical("write the fake desktop's journal: {}", written.error().message);
    std::abort();
  }
  DA_FAULT_POINT("actuator.after_effect");
}

}  // namespace da::actuator::fake
