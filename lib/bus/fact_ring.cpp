#include "lib/bus/fact_ring.h"

#include <algorithm>

namespace da::bus {
namespace {

// Of each kept fact, besides its payload.
constexpr std::size_t kOverhead = 100;

}  // namespace

void FactRing::add(Lane lane, const std::string& topic, Payload payload) {
  const std::lock_guard lock(mutex_);
  Kept& kept = lane == Lane::kImages ? images_ : facts_;
  const std::size_t limit = lane == Lane::kImages ? limits_.images_bytes : limits_.facts_bytes;
  Topic& added_to = topics_[topic];
  kept.bytes += payload->size() + kOverhead;
  added_to.kept.push_back(std::move(payload));
  ++added_to.last;
  kept.order.push_back(&added_to);
  while (kept.bytes > limit) {
    Topic& oldest = *kept.order.front();
    kept.bytes -= oldest.kept.front()->size() + kOverhead;
    oldest.kept.pop_front();
    kept.order.pop_front();
  }
}

std::vector<Payload> FactRing::range(const std::string& topic, std::uint64_t from, std::uint64_t to) const {
  const std::lock_guard lock(mutex_);
  const auto found = topics_.find(topic);
  if (found == topics_.end()) return {};
  const auto& [kept, last] = found->second;
  const std::uint64_t first = last - kept.size() + 1;
  const std::uint64_t begin = std::max(from, first);
  const std::uint64_t end = std::min(to, last);
  if (begin > end) return {};
  const auto at = kept.begin() + static_cast<std::ptrdiff_t>(begin - first);
  return {at, at + static_cast<std::ptrdiff_t>(end - begin + 1)};
}

std::map<std::string, std::uint64_t> FactRing::last() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::uint64_t> last;
  for (const auto& [name, topic] : topics_) last[name] = topic.last;
  return last;
}

std::size_t FactRing::bytes() const {
  const std::lock_guard lock(mutex_);
  return facts_.bytes + images_.bytes;
}

}  // namespace da::bus
