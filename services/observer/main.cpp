// Turns the actuator's frames and UI trees into observations and locations of targets. Has no input device.
#include <cstdlib>
#include <stop_token>
#include <string_view>

#include "lib/base/plain_output.h"
#include "lib/service/logging/log_facts.h"
#include "lib/service/service.h"
#include "services/observer/actuator_client_rpc.h"
#include "services/observer/analyse/analyze_command.h"
#include "services/observer/image/crop_command.h"
#include "services/observer/observer_rpc.h"

namespace {

using namespace da;

constexpr const char* kCommands =
    "Commands, without --config; each has its own --help (`da-console analyze --image` starts it):\n"
    "  analyze                    analyse a picture file\n"
    "  crop                       cut a part out of a picture";

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(auto channel, context.channel_to("actuator"));
  ASSIGN_OR_RETURN(const auto languages, context.config().find_string("observer.ocr_languages"));
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  const service::LogFacts log_facts(*bus, "observer");
  observer::ActuatorClientRpc actuator(std::move(channel));
  observer::FrameCache frames(actuator);
  observer::Ocr ocr(languages.value_or("eng"));
  std::stop_source stop;
  observer::ObservationSource observations(frames);
  const auto read_text = [&](const auto&... part) { return ocr.read(part...); };
  observer::Locator locator(frames, read_text, stop.get_token(), context.clock());
  observer::Analyser analyser(frames, read_text);
  observer::ObserverRpc rpc(observations, locator, analyser, frames, *bus);
  const auto describe = [&] { return service::Properties{{"ocr", languages.value_or("eng")}}; };
  const auto before_stop = [&] {
    stop.request_stop();
    actuator.cancel();
  };
  return context.serve({&rpc}, describe, before_stop);
}

// Tesseract reads its data at the first use, when the sandbox is already active.
Result<service::Needs> needs(const service::Config&) {
  service::Needs needs;
  if (const char* data = std::getenv("TESSDATA_PREFIX"); data != nullptr) needs.files.read.emplace_back(data);
  return needs;
}

std::vector<service::Check> doctor() {
  observer::Ocr ocr;
  const auto opened = ocr.open();
  service::Check check{"ocr", opened.has_value(), "tesseract with the data of \"eng\"", ""};
  if (!opened) {
    check.found = "tesseract without language data";
    check.advice = opened.error().message;
  }
  return {check};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "crop") return da::observer::run_crop(argc, argv);  // It writes a picture to its output.
  const da::PlainOutput output;
  if (command == "analyze") return da::observer::run_analyze(argc, argv);
  return da::service::run(argc, argv,
                          {.name = "observer",
                           .summary = "Sees the desktop: observations, and where things are.",
                           .doctor = doctor,
                           .needs = needs,
                           .commands = kCommands},
                          service_main);
}
