#include "lib/service/picture_analysis.h"

#include <google/protobuf/util/json_util.h>

#include <sstream>
#include <string>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/memory_file.h"

namespace da::service {
namespace {

constexpr Milliseconds kLongest{120'000};

}  // namespace

Result<std::vector<v1::AnalyzeReply>> analyze_picture(os::Command observer, const std::filesystem::path& image,
                                                      const std::vector<v1::AnalyzeRequest>& requests) {
  std::string lines;
  for (const v1::AnalyzeRequest& request : requests) {
    std::string line;
    if (!google::protobuf::util::MessageToJsonString(request, &line).ok()) {
      return Error{Code::kInvalidArgument, "the request is not valid UTF-8"};
    }
    lines += line + "\n";
  }
  ASSIGN_OR_RETURN(const auto input, os::make_memory_file(lines));
  observer.arguments = {"analyze", "--image", image.string()};
  observer.input = input.get();
  ASSIGN_OR_RETURN(const auto finished, os::run_to_end(std::move(observer), system_clock().now() + kLongest));
  if (finished.exit_code != 0) {
    return Error{Code::kFailedPrecondition,
                 "da-observer cannot analyse " + quote_foreign(text_of(image)) + ": " + finished.ended};
  }
  std::vector<v1::AnalyzeReply> replies;
  std::istringstream output(finished.output);
  for (std::string line; std::getline(output, line);) {
    if (!google::protobuf::util::JsonStringToMessage(line, &replies.emplace_back()).ok()) {
      return Error{Code::kInternal, "da-observer printed an unreadable answer"};
    }
  }
  if (replies.size() != requests.size()) return Error{Code::kInternal, "da-observer did not answer all requests"};
  return replies;
}

}  // namespace da::service
