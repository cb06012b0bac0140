#include "lib/recording/recorded_fact.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include "lib/bus/topics.h"

namespace da::recording {
namespace {

using google::protobuf::internal::WireFormatLite;

// Field 1 comes first, because serialisers write fields in the order of their numbers.
constexpr std::uint32_t kHeaderTag = WireFormatLite::MakeTag(1, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);

bool parse_header(const std::string& payload, v1::Header& header) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(payload.data()),
                                                static_cast<int>(payload.size()));
  std::uint32_t size = 0;
  if (stream.ReadTag() != kHeaderTag || !stream.ReadVarint32(&size)) return false;
  const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
  return size <= payload.size() - begin && header.ParseFromArray(payload.data() + begin, static_cast<int>(size));
}

// Instances are random hexadecimal ids. Marks of lost facts repeat them.
constexpr std::size_t kMostInstanceBytes = 64;

}  // namespace

std::optional<RecordedFact> recorded_fact(bus::RawFact raw) {
  RecordedFact fact{.type = bus::fact_of(raw.topic), .payload = std::move(raw.payload)};
  if (fact.type == nullptr || !parse_header(fact.payload, fact.header)) return std::nullopt;
  if (fact.header.writer() != bus::topic_of(*fact.type)->writer()) return std::nullopt;
  if (fact.header.instance().size() > kMostInstanceBytes) return std::nullopt;
  return fact;
}

}  // namespace da::recording
