#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <string_view>

#include "lib/base/text.h"
#include "services/actuator/desktop/startup/pick_command.h"
#include "services/actuator/desktop/x11/pick/area_picker.h"
#include "services/actuator/desktop/x11/session/display_claim.h"

namespace da::actuator {
namespace {

enum ExitCode { kDone = 0, kFailed = 1, kBadUsage = 2, kCancelled = 130 };

constexpr Milliseconds kClaimFor{2000};  // Time for an actuator that is just ending to release the display.

Result<Rect> pick(std::chrono::seconds patience) {
  const Clock& clock = system_clock();
  ASSIGN_OR_RETURN(const auto connection, x11::Connection::open("", clock));
  // So that no task sends its input while pointer and keyboard are grabbed.
  RETURN_IF_ERROR(x11::claim_display(*connection, clock.now() + kClaimFor));
  return x11::pick_area(*connection, clock.now() + patience, [&] {
    std::cerr << "click two opposite corners of the place on the desktop, or drag over it, within " << patience.count()
              << " seconds; Escape cancels" << std::endl;
  });
}

}  // namespace

std::optional<int> run_pick_command(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "pick") return std::nullopt;
  CLI::App app("Lets the person at this desktop mark a rectangle.", "da-actuator pick");
  std::int64_t seconds = 60;
  app.add_option("--seconds", seconds, "how long to wait for the person")->check(CLI::Range(1, 3600));
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadUsage;
  }
  const auto area = pick(std::chrono::seconds(seconds));
  if (!area) {
    std::cerr << "da-actuator: " << escape_foreign(area.error().message) << std::endl;
    return area.error().code == Code::kCancelled ? kCancelled : kFailed;
  }
  std::cout << area->x << "," << area->y << "," << area->width << "," << area->height << std::endl;
  return kDone;
}

}  // namespace da::actuator
