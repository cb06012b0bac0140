#include "services/console/analysis/analyze.h"

#include <algorithm>
#include <iostream>

#include "lib/base/text.h"
#include "lib/service/picture_analysis.h"
#include "services/console/analysis/analysis_request.h"
#include "services/console/analysis/analysis_text.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/message_json.h"
#include "services/console/session/given_files.h"
#include "services/console/session/look_at_desktop.h"
#include "services/console/session/service_environment.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using Ask = std::function<Result<v1::AnalyzeReply>(const v1::AnalyzeRequest&)>;

// A region without a place is the whole desktop, whose size an empty request tells.
Result<v1::AnalyzeReply> ask_about(v1::AnalyzeRequest request, const Ask& ask) {
  auto& region = *request.mutable_regions(0);
  if (region.place_case() == v1::RegionQuery::PLACE_NOT_SET) {
    ASSIGN_OR_RETURN(const auto size, ask(v1::AnalyzeRequest()));
    *region.mutable_area() = size.desktop();
  }
  return ask(request);
}

Result<v1::AnalyzeReply> look(const AnalyzeOptions& options, const v1::AnalyzeRequest& request) {
  if (!options.image.empty()) {
    return ask_about(request, [&](const v1::AnalyzeRequest& each) -> Result<v1::AnalyzeReply> {
      os::Command observer;
      observer.program = service_program("observer").string();
      observer.environment = environment_of("observer");
      ASSIGN_OR_RETURN(auto replies, service::analyze_picture(std::move(observer), options.image, {each}));
      return std::move(replies.front());
    });
  }
  v1::AnalyzeReply reply;
  RETURN_IF_ERROR(look_at_desktop(
      {.config = options.config, .backend = options.backend, .purpose = "analyze: colours, templates and text"},
      [&](const ObserverClient& observer) -> Result<void> {
        ASSIGN_OR_RETURN(reply,
                         ask_about(request, [&](const v1::AnalyzeRequest& each) { return observer.analyze(each); }));
        return ok();
      }));
  return reply;
}

bool asks_nothing(const v1::RegionQuery& query) {
  return query.pixels().empty() && !query.average_colour() && query.dominant_colours() == 0 &&
         query.templates().empty() && !query.has_ocr();
}

bool has_error(const v1::RegionAnalysis& region) {
  const auto failed = [](const auto& part) { return part.has_error(); };
  return region.has_error() || std::ranges::any_of(region.pixels(), failed) ||
         std::ranges::any_of(region.templates(), failed) || (region.has_ocr() && region.ocr().has_error());
}

}  // namespace

int analyze(const AnalyzeOptions& options) {
  const auto request = analysis_request(options);
  if (!request) {
    std::cerr << "da-console: " << request.error().message << "\n";
    return request.error().code == Code::kInvalidArgument ? kBadUsage : kTaskFailed;
  }
  if (asks_nothing(request->regions(0))) {
    std::cerr << "da-console: say what to analyse: --pixel, --average, --dominant, --template or --ocr\n";
    return kBadUsage;
  }
  ASSIGN_OR_REPORT(const auto reply, look(options, *request));
  if (reply.regions_size() != 1) return report({Code::kInternal, "the observer did not answer about the region"});
  if (options.format == Format::kJson) {
    std::cout << ordered_json_line(message_to_json(reply, Bytes::kHash)) << std::endl;
  } else {
    std::vector<std::string> names;
    for (const auto& path : options.templates) names.push_back(escape_foreign(path.filename().string(), 80));
    std::cout << analysis_text(reply.regions(0), names) << std::flush;
  }
  return has_error(reply.regions(0)) ? kTaskFailed : kDone;
}

}  // namespace da::console
