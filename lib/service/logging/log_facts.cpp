#include "lib/service/logging/log_facts.h"

#include <memory>
#include <utility>

#include "da/v1/history.pb.h"
#include "lib/bus/topics.h"
#include "lib/service/logging/logging.h"

namespace da::service {
namespace {

v1::LogLine::Level level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kWarning: return v1::LogLine::LEVEL_WARNING;
    case LogLevel::kError: return v1::LogLine::LEVEL_ERROR;
    case LogLevel::kCritical: return v1::LogLine::LEVEL_CRITICAL;
  }
  return v1::LogLine::LEVEL_UNSPECIFIED;
}

}  // namespace

// The four log facts have the same fields; each writer has a type of its own.
LogFacts::LogFacts(bus::Publisher& bus, const std::string& service) {
  const auto* type = bus::fact_of(service + ".log");
  const auto* prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
  read_log([&bus, type, prototype](LogLevel level, const std::string& text) {
    const std::unique_ptr<google::protobuf::Message> fact(prototype->New());
    auto& line =
        static_cast<v1::LogLine&>(*fact->GetReflection()->MutableMessage(fact.get(), type->FindFieldByName("line")));
    line.set_level(level_of(level));
    line.set_text(text);
    bus.publish(*fact, "", "");
  });
}

LogFacts::~LogFacts() { read_log(nullptr); }

}  // namespace da::service
