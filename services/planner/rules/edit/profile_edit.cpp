#include "services/planner/rules/edit/profile_edit.h"

#include <algorithm>
#include <array>
#include <set>

#include "lib/base/text.h"
#include "services/planner/rules/edit/json_layout.h"
#include "services/planner/rules/profile/profile_reader.h"

namespace da::planner::rules {
namespace {

// Order in which Mark-I writes them.
constexpr std::array<std::string_view, 5> kOrder = {"profile_description", "settings", "regions", "templates", "rules"};

std::string_view cut(std::string_view text, Span span) { return text.substr(span.begin, span.end - span.begin); }

const Document* entry_named(const Document& profile, const std::string& list, const std::string& name) {
  const auto entries = profile.is_object() ? profile.find(list) : profile.end();
  if (!profile.is_object() || entries == profile.end() || !entries->is_array()) return nullptr;
  for (const Document& one : *entries) {
    if (one.is_object() && one.contains("name") && one["name"] == name) return &one;
  }
  return nullptr;
}

// RFC 7396 for one level.
Document merged(Document entry, const Document& change) {
  for (const auto& [key, value] : change.items()) {
    if (value.is_null()) {
      entry.erase(key);
    } else {
      entry[key] = value;
    }
  }
  return entry;
}

std::set<std::string> errors_in(const ReadProfile& read) {
  std::set<std::string> messages;
  for (const Problem& problem : read.problems) {
    if (problem.severity == Severity::kError) messages.insert(problem.message);
  }
  return messages;
}

// Edits one list of a text.
class ListEditor {
 public:
  ListEditor(std::string_view text, const Document& profile, std::string list)
      : text_(text), profile_(profile), list_(std::move(list)), layout_(layout_of(text)), top_(value_at(text, 0)) {
    for (const MemberSpan& member : members_of(text_, top_)) {
      if (member.key == list_) span_ = member.value;
      members_.push_back(member);
    }
  }

  std::string replaced(const Document& old, const Document& entry) const {
    const auto items = items_of(text_, *span_);
    const auto& entries = profile_[list_];
    std::size_t index = 0;
    while (index < items.size() && &entries[index] != &old) ++index;
    const Span item = items[index];
    return with(item, item_text(entry, cut(text_, item), indent_at(text_, item.begin)));
  }

  std::string added(const Document& entry) const {
    if (!span_ || text_.substr(span_->begin, 4) == "null") return with_new_list(entry);
    const auto items = items_of(text_, *span_);
    if (items.empty()) return with(*span_, list_text(entry, indent_at(text_, span_->begin)));
    const Span last = items.back();
    const std::size_t before = items.size() > 1 ? items[items.size() - 2].end : span_->begin + 1;
    std::string gap(text_.substr(before, last.begin - before));
    std::erase(gap, ',');
    if (items.size() == 1 && gap.empty()) gap = " ";
    return with({last.end, last.end}, "," + gap + item_text(entry, cut(text_, last), indent_at(text_, last.begin)));
  }

 private:
  std::string with(Span place, const std::string& inserted) const {
    return std::string(text_.substr(0, place.begin)) + inserted + std::string(text_.substr(place.end));
  }

  // Laid out as `like`, which stands at an indentation of `base`.
  std::string item_text(const Document& entry, std::string_view like, const std::string& base) const {
    const bool lines = like.find('\n') != std::string_view::npos;
    return lines ? lines_of(entry, layout_, base) : line_of(entry, layout_, like);
  }

  // A list of one entry. Its name stands at an indentation of `base`.
  std::string list_text(const Document& entry, const std::string& base) const {
    if (layout_.indent.empty()) return "[" + line_of(entry, layout_, text_) + "]";
    const std::string inner = base + layout_.indent;
    const auto like = sample();
    const std::string item = like.empty() ? lines_of(entry, layout_, inner) : item_text(entry, like, inner);
    return "[" + layout_.line_end + inner + item + layout_.line_end + base + "]";
  }

  // An entry of another list.
  std::string_view sample() const {
    for (const std::string_view list : {"regions", "templates"}) {
      const auto member = std::ranges::find(members_, list, &MemberSpan::key);
      if (member == members_.end() || text_[member->value.begin] != '[') continue;
      const auto items = items_of(text_, member->value);
      if (!items.empty()) return cut(text_, items.back());
    }
    return {};
  }

  std::string with_new_list(const Document& entry) const {
    if (span_) return with(*span_, list_text(entry, indent_at(text_, span_->begin)));
    const bool lines = !layout_.indent.empty();
    const std::string base = members_.empty() ? layout_.indent : indent_at(text_, members_.back().whole.begin);
    const std::string member = "\"" + list_ + "\": " + list_text(entry, base);
    const std::string gap = lines ? layout_.line_end + base : " ";
    if (members_.empty()) return with(top_, lines ? "{" + gap + member + layout_.line_end + "}" : "{" + member + "}");
    const auto rank = [](std::string_view key) { return std::ranges::find(kOrder, key) - kOrder.begin(); };
    for (const MemberSpan& later : members_) {
      const auto of_later = rank(later.key);
      if (of_later < std::ssize(kOrder) && of_later > rank(list_)) {
        return with({later.whole.begin, later.whole.begin}, member + "," + gap);
      }
    }
    const std::size_t end = members_.back().whole.end;
    return with({end, end}, "," + gap + member);
  }

  const std::string_view text_;
  const Document& profile_;
  const std::string list_;
  const Layout layout_;
  const Span top_;
  std::vector<MemberSpan> members_;
  std::optional<Span> span_;  // Place of the list; unset if the profile has none.
};

}  // namespace

Result<std::string> with_entry(std::string_view text, const std::string& list, const Document& entry,
                               SameName same_name) {
  const ReadProfile before = read_profile(text);
  const Document& profile = before.document;
  if (!profile.is_object()) {
    const Problem problem =
        before.problems.empty() ? Problem{Severity::kError, {}, "it is not one JSON object"} : before.problems.front();
    return Error{Code::kInvalidArgument,
                 "the profile is not changed: " + to_text(problem.place) + ": " + problem.message};
  }
  const auto entries = profile.find(list);
  if (entries != profile.end() && !entries->is_array() && !entries->is_null()) {
    return Error{Code::kInvalidArgument, "the profile is not changed: " + list + " must be a list"};
  }
  const std::string name = entry.value("name", "");
  const Document* same = entry_named(profile, list, name);
  const std::string kind = list.substr(0, list.size() - 1);
  if (same != nullptr && same_name == SameName::kRefuse) {
    return Error{Code::kAlreadyExists,
                 "there is already a " + kind + " " + quote_foreign(name, 60) + "; --replace changes it"};
  }
  const ListEditor editor(text, profile, list);
  const Document written = merged(same != nullptr ? *same : Document::object(), entry);
  std::string edited = same != nullptr ? editor.replaced(*same, written) : editor.added(written);
  const ReadProfile after = read_profile(edited);
  const Document* found = entry_named(after.document, list, name);
  if (found == nullptr || *found != written) {
    return Error{Code::kInternal, "the profile is not changed: its text could not be edited"};
  }
  const auto old_errors = errors_in(before);
  for (const Problem& problem : after.problems) {
    if (problem.severity == Severity::kError && !old_errors.contains(problem.message)) {
      return Error{Code::kInvalidArgument, "the profile is not changed: " + problem.message};
    }
  }
  return edited;
}

std::string member_of_entry(std::string_view text, const std::string& list, const std::string& name,
                            const std::string& key) {
  const ReadProfile read = read_profile(text);
  const Document* entry = entry_named(read.document, list, name);
  if (entry == nullptr || !entry->contains(key) || !(*entry)[key].is_string()) return {};
  return (*entry)[key].get<std::string>();
}

}  // namespace da::planner::rules
