#include "services/actuator/desktop/startup/open_desktop.h"

#include <optional>

#include "services/actuator/desktop/fake/fake_desktop.h"

namespace da::actuator {
namespace {

Result<std::unique_ptr<Desktop>> open_fake(const std::optional<std::filesystem::path>& journal_file) {
  std::optional<fake::FakeJournal> journal;
  if (journal_file) {
    ASSIGN_OR_RETURN(journal, fake::FakeJournal::open(*journal_file));
  }
  return open_fake_desktop(std::make_shared<fake::FakeWorld>(Rect{0, 0, 1280, 800}, std::move(journal)));
}

}  // namespace

Result<std::unique_ptr<Desktop>> open_desktop(const service::Config& config, DesktopUse use, const Clock& clock) {
  ASSIGN_OR_RETURN(const std::string backend, config.string("actuator.backend"));
  ASSIGN_OR_RETURN(const auto journal, config.find_path("actuator.journal"));
  if (backend == "fake") return open_fake(journal);
  if (journal) return Error{Code::kInvalidArgument, "actuator.journal: only the fake desktop keeps one"};
  if (backend == native_backend()) return open_native_desktop(use, clock);
  return Error{Code::kInvalidArgument, "actuator.backend = \"" + backend + "\": this build has \"" +
                                           std::string(native_backend()) + "\" and \"fake\""};
}

}  // namespace da::actuator
