// Finds the recorded answer to a request of the observer, by the request and by order: the first equal request gets the
// first answer, and so on. Time does not matter.
//
// Requests come in groups of one cause (a step, a plan, the task). The n-th group of a replay corresponds to the n-th
// of the recording, so that one look more or less within a wait shifts nothing afterwards; a group's last answer to a
// request is repeated. Not thread-safe.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "da/v1/history.pb.h"

namespace da::console {

class AnswerBook {
 public:
  // `answers` must be in recording order, and must outlive the book.
  explicit AnswerBook(const std::vector<v1::ObserverAnswer>& answers);

  // `request`: an ObserverAnswer with only the request and, in its header, the cause. nullptr: the recording has none.
  // A request for one element may get the whole tree, because older recordings have only that.
  const v1::ObserverAnswer* next(const v1::ObserverAnswer& request);

 private:
  using Group = std::map<std::string, std::deque<const v1::ObserverAnswer*>>;  // Keyed by request.

  const v1::ObserverAnswer* find(const std::string& key);
  const v1::ObserverAnswer* take(Group& group, const std::string& key);

  std::vector<Group> groups_;
  std::size_t group_ = 0;
  bool begun_ = false;
  std::string cause_;
};

}  // namespace da::console
