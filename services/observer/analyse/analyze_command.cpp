#include "services/observer/analyse/analyze_command.h"

#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/process/confinement.h"
#include "services/observer/analyse/analyser.h"
#include "services/observer/analyse/picture_source.h"

namespace da::observer {
namespace {

enum ExitCode { kDone = 0, kUnusable = 1, kBadUsage = 2 };

constexpr std::size_t kMaxFileBytes = 64 << 20;
constexpr std::int64_t kMaxPixels = 1 << 25;  // Equals the limit of a desktop (frame_store.cpp).

struct Arguments {
  std::string image;
  std::string languages = "eng";
};

int unusable(const Error& error) {
  std::cerr << "da-observer: " << escape_foreign(error.message) << "\n";
  return kUnusable;
}

// A picture comes from anywhere, and its decoder or tesseract may have a fault.
Result<void> confine() {
  os::FileAccess files;
  if (const char* data = std::getenv("TESSDATA_PREFIX"); data != nullptr) files.read.emplace_back(data);
  return os::confine(files, os::Network::kNone);
}

Result<DecodedImage> read_picture(const std::string& path) {
  ASSIGN_OR_RETURN(const auto file, os::read_file(path, kMaxFileBytes));
  RETURN_IF_ERROR(confine());
  auto picture = decode_image(file, kMaxPixels);
  if (!picture) return Error{picture.error().code, path + ": " + picture.error().message};
  return picture;
}

Result<v1::AnalyzeRequest> parse(const std::string& line) {
  v1::AnalyzeRequest request;
  const auto parsed = google::protobuf::util::JsonStringToMessage(line, &request);
  if (parsed.ok()) return request;
  return Error{Code::kInvalidArgument, "cannot read the request: " + std::string(parsed.message())};
}

Result<std::string> to_json(const v1::AnalyzeReply& reply) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  if (google::protobuf::util::MessageToJsonString(reply, &json, options).ok()) return json;
  return Error{Code::kInternal, "cannot write the answer as JSON"};
}

Result<std::string> answer(Analyser& analyser, const std::string& line) {
  ASSIGN_OR_RETURN(const auto request, parse(line));
  ASSIGN_OR_RETURN(const auto reply, analyser.analyze(request, {}));
  return to_json(reply);
}

int analyze(const Arguments& arguments) {
  auto picture = read_picture(arguments.image);
  if (!picture) return unusable(picture.error());
  PictureSource source(*std::move(picture));
  FrameCache frames(source);
  Ocr ocr(arguments.languages);
  Analyser analyser(frames, [&](const auto&... part) { return ocr.read(part...); });
  for (std::string line; std::getline(std::cin, line);) {
    const auto answered = answer(analyser, line);
    if (!answered) return unusable(answered.error());
    std::cout << *answered << std::endl;
  }
  return kDone;
}

}  // namespace

int run_analyze(int argc, char** argv) {
  CLI::App app("Analyses a picture file as if the desktop showed it: `da-console analyze --image` starts this.",
               "da-observer analyze");
  Arguments arguments;
  app.add_option("--image", arguments.image, "the picture, PNG or JPEG")->required();
  app.add_option("--languages", arguments.languages, "of the text, as tesseract names them: eng+deu");
  app.footer("Reads da.v1.AnalyzeRequest as JSON from stdin, one a line, and prints one AnalyzeReply for each.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadUsage;
  }
  return analyze(arguments);
}

}  // namespace da::observer
