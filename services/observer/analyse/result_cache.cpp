#include "services/observer/analyse/result_cache.h"

#include <utility>

namespace da::observer {
namespace {

constexpr std::size_t kOverhead = 200;  // Bytes of an entry beside its texts, which are kept once and twice.

std::size_t bytes_of(const std::string& key, const std::string& result) {
  return 2 * key.size() + result.size() + kOverhead;
}

}  // namespace

const std::string* ResultCache::find(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->result;
}

void ResultCache::put(const std::string& key, std::string result) {
  if (by_key_.contains(key)) return;
  bytes_ += bytes_of(key, result);
  entries_.push_front({key, std::move(result)});
  by_key_[key] = entries_.begin();
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    bytes_ -= bytes_of(entries_.back().key, entries_.back().result);
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace da::observer
