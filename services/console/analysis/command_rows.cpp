// The command line of `analyze`.
#include "services/console/analysis/analyze.h"
#include "services/console/command_line/command_table.h"

namespace da::console {
namespace {

constexpr const char* kAnalyzeHelp =
    "  da-console analyze --region 100,80,400,30 --ocr\n"
    "  da-console analyze --window Mousepad --template save.png --pixel 5,5\n"
    "  da-console analyze --image screenshot.png --dominant 3 --json\n\n"
    "Without --region, it analyses the whole desktop, window or picture. Pixels are counted from the region's top "
    "left\n"
    "corner; places in the answer are those of the desktop, and in JSON again those of the region. A template is "
    "found\n"
    "where its correlation (OpenCV's TM_CCOEFF_NORMED) is high enough; \"ambiguous\" means that a second place is as "
    "good,\n"
    "or nearly. Only looks: no step is taken.\n"
    "Exit codes: 0 done, 1 no such region, window or pixel, or an unusable file, 2 bad usage, 5 a service could not be "
    "reached.";

void add_queries(CLI::App& command, AnalyzeOptions& options) {
  command.add_option("--region", options.region, "the part to analyse, in pixels of the desktop, window or picture")
      ->type_name("X,Y,WIDTH,HEIGHT");
  auto* window =
      command
          .add_option("--window", options.window, "the window whose title contains this; the region is relative to it")
          ->check(utf8_text());
  command.add_option("--image", options.image, "a PNG or JPEG file instead of the desktop")->excludes(window);
  command.add_option("--pixel", options.pixels, "the colour of this pixel; may be repeated")
      ->type_name("X,Y")
      ->allow_extra_args(false);
  command.add_flag("--average", options.average, "the average colour");
  command.add_option("--dominant", options.dominant, "this many dominant colours, with their shares")
      ->check(CLI::Range(1, 16))
      ->type_name("1-16");
  command.add_option("--template", options.templates, "find this PNG or JPEG file; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("--min-confidence", options.min_confidence, "for templates (default: 0.8); 1: equal pixels only")
      ->check(CLI::Range(0.01, 1.0))
      ->type_name("0.01-1");
  command.add_option("--scales", options.scales, "sizes of the templates, such as 1,1.25,1.5 for other DPI settings")
      ->delimiter(',')
      ->check(CLI::Range(0.25, 4.0))
      ->type_name("FACTOR,...");
  command.add_flag("--mask", options.mask, "transparent pixels of the templates may be anything");
  command.add_flag("--exact-suffices", options.exact_suffices,
                   "where equal pixels are found, do not look for similar places: faster, but tells no rivals");
  command.add_flag("--ocr", options.ocr, "the text, with the average confidence");
}

Command::Run add_analyze(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<AnalyzeOptions>();
  add_json(command, common, "print JSON for scripts");
  add_queries(command, *options);
  return [&common, options] {
    options->config = common.config;
    options->backend = common.backend();
    options->format = common.format();
    return analyze(*options);
  };
}

}  // namespace

std::vector<Command> analysis_commands() {
  return {
      {"analyze", CommandGroup::kLook, "analyse colours, templates and text of a region", kAnalyzeHelp, add_analyze}};
}

}  // namespace da::console
