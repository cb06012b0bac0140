// Finds the target by which a sentence names one element and no other: `"Save"`, `menu "Terminal"`, `2nd "Advanced"`,
// `3rd field in "Transfer"`. Each phrase is tried with the search that a sentence would use; the number of searches is
// limited, because each looks at the whole tree. One thread. Borrows the tree and the scene.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "lib/contract/element_query.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {

class Phrases {
 public:
  Phrases(const v1::UiTree& tree, const Scene& scene, v1::Actionable actionable);

  // `name`: the element's, or that of its label; empty if it has none. Returns "" if no phrase names only this element.
  std::string of(const v1::UiNode& node, const std::string& name);

 private:
  // What a target means. Ids.
  struct Meaning {
    std::string only;                  // The only element; empty if there are several or none.
    std::vector<std::string> counted;  // The matches in the order in which a number counts them.
  };

  // The name occurs in no other element's name.
  bool is_only_one(const std::string& name) const;
  const Meaning& meaning_of(const contract::ElementQuery& query);

  const v1::UiTree& tree_;
  const Scene scene_;
  const v1::Actionable actionable_;
  std::vector<std::string> names_;                  // Names of all elements, and labels of fields; folded.
  std::unordered_map<std::string, Meaning> known_;  // Keyed by the written form: rows of a list share their searches.
};

// The elements that a sentence can name, each with its phrase, and the others with the reason (Listed::kAll).
v1::UiTree list_with_phrases(const v1::UiTree& tree, const Scene& scene);

// A field that was found by its box in the picture, with its phrase: its number in the window.
v1::UiNode drawn_field(const v1::Window& window, const Rect& bounds, std::uint32_t number);

// Sets the phrases of an ambiguous reply's best candidates.
void add_phrases(const v1::UiTree& tree, const Scene& scene, const v1::LocateRequest& request, v1::LocateReply& reply);

}  // namespace da::observer
