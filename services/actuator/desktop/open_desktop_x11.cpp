#include <cstdlib>
#include <filesystem>

#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/actuator/desktop/open_desktop.h"
#include "services/actuator/desktop/x11/x11_desktop.h"

namespace da::actuator {
namespace {

Result<std::unique_ptr<Desktop>> open_fake(const std::optional<std::string>& journal_file) {
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
  if (backend != "x11") {
    return Error{Code::kInvalidArgument, "actuator.backend = \"" + backend + "\": this build has \"x11\" and \"fake\""};
  }
  const char* display = std::getenv("DISPLAY");
  if (display == nullptr || *display == '\0') {
    return Error{Code::kFailedPrecondition,
                 "there is no X11 display: set DISPLAY, or use deploy/run, which starts one"};
  }
  if (use == DesktopUse::kExamine) return open_x11_desktop({.display = display}, clock);
  const auto programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return open_x11_desktop({.display = display,
                           .use = X11Use::kDrive,
                           .guardian = programs / "da-guardian",
                           .launcher = programs / "da-launcher"},
                          clock);
}

}  // namespace da::actuator
