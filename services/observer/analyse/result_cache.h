// Results of analyses by the content of the region and the query. Evicts those that were not used for the longest time.
// One thread at a time.
#pragma once

#include <list>
#include <map>
#include <string>

namespace da::observer {

class ResultCache {
 public:
  explicit ResultCache(std::size_t most_bytes = 16 << 20) : most_bytes_(most_bytes) {}

  // nullptr if there is none. Valid until the next put().
  const std::string* find(const std::string& key);
  void put(const std::string& key, std::string result);

 private:
  struct Entry {
    std::string key;
    std::string result;
  };
  using Entries = std::list<Entry>;  // Last used first.

  const std::size_t most_bytes_;
  Entries entries_;
  std::map<std::string, Entries::iterator> by_key_;
  std::size_t bytes_ = 0;
};

}  // namespace da::observer
