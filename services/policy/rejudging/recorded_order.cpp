#include "services/policy/rejudging/recorded_order.h"

namespace da::policy {
namespace {

constexpr std::size_t kHeldFacts = 4096;
constexpr std::size_t kHeldBytes = 32 << 20;

}  // namespace

Result<void> RecordedOrder::add(const Fact& fact) {
  if (fact.header.instance() != instance_) {
    RETURN_IF_ERROR(finish());
    instance_ = fact.header.instance();
  }
  Held held{.fact = {.topic = fact.topic,
                     .received = fact.received,
                     .payload = {},
                     .message = nullptr,
                     .header = fact.header},
            .bytes = fact.payload.size()};
  held.fact.message.reset(fact.message->New());
  held.fact.message->CopyFrom(*fact.message);
  bytes_ += held.bytes;
  held_.emplace(std::pair(fact.header.monotonic_ns(), ++added_), std::move(held));
  while (held_.size() > kHeldFacts || bytes_ > kHeldBytes) RETURN_IF_ERROR(pass_on_first());
  return ok();
}

Result<void> RecordedOrder::finish() {
  while (!held_.empty()) RETURN_IF_ERROR(pass_on_first());
  return ok();
}

Result<void> RecordedOrder::pass_on_first() {
  const auto first = held_.extract(held_.begin());
  bytes_ -= first.mapped().bytes;
  return take_(first.mapped().fact);
}

}  // namespace da::policy
