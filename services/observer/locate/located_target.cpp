#include "services/observer/locate/located_target.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/locate/symbols.h"
#include "services/observer/text/word_bounds.h"

namespace da::observer {
namespace {

struct RoleWords {
  std::string_view words;
  RoleWish wish;
};

// A phrase must come before every shorter phrase that it ends with.
constexpr RoleWords kRoleWords[]{{"radio button", RoleWish::kRadioButton},
                                 {"push button", RoleWish::kButton},
                                 {"toggle button", RoleWish::kButton},
                                 {"button", RoleWish::kButton},
                                 {"combo box", RoleWish::kComboBox},
                                 {"combobox", RoleWish::kComboBox},
                                 {"drop-down", RoleWish::kComboBox},
                                 {"dropdown", RoleWish::kComboBox},
                                 {"check box", RoleWish::kCheckBox},
                                 {"checkbox", RoleWish::kCheckBox},
                                 {"text field", RoleWish::kField},
                                 {"input field", RoleWish::kField},
                                 {"text box", RoleWish::kField},
                                 {"textbox", RoleWish::kField},
                                 {"text area", RoleWish::kField},
                                 {"entry", RoleWish::kField},
                                 {"field", RoleWish::kField},
                                 {"input", RoleWish::kField},
                                 {"editor", RoleWish::kField},
                                 {"menu item", RoleWish::kMenuItem},
                                 {"menu", RoleWish::kMenu},
                                 {"tab", RoleWish::kTab},
                                 {"link", RoleWish::kLink},
                                 {"icon", RoleWish::kIcon},
                                 {"list item", RoleWish::kListItem},
                                 {"tree item", RoleWish::kListItem},
                                 {"table cell", RoleWish::kListItem},
                                 {"table row", RoleWish::kListItem},
                                 {"item", RoleWish::kItem},
                                 {"label", RoleWish::kLabel},
                                 {"slider", RoleWish::kSlider},
                                 {"dialog", RoleWish::kDialog},
                                 {"switch", RoleWish::kSwitch}};

// Further words of written targets, where a kind is no part of a name.
constexpr RoleWords kWrittenKinds[]{{"page tab", RoleWish::kTab},         {"text", RoleWish::kText},
                                    {"password field", RoleWish::kField}, {"spin button", RoleWish::kSpinButton},
                                    {"spinner", RoleWish::kSpinButton},   {"list", RoleWish::kList},
                                    {"table", RoleWish::kTable}};

std::string single_spaces(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (space && !out.empty() && out.back() == ' ') continue;
    out += space ? ' ' : c;
  }
  return out;
}

std::string_view without_quotes(std::string_view text) {
  text = trim(text);
  for (const char quote : {'"', '\''}) {
    if (text.size() >= 2 && text.front() == quote && text.back() == quote) {
      return trim(text.substr(1, text.size() - 2));
    }
  }
  return text;
}

// People type "Don't Save" with a plain apostrophe; applications use the typographic one.
std::string without_typography(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kPlain[]{{"\u2018", "'"},  {"\u2019", "'"}, {"\u201c", "\""},
                                                                   {"\u201d", "\""}, {"\u2010", "-"}, {"\u2011", "-"},
                                                                   {"\u2013", "-"},  {"\u2014", "-"}, {"\u00a0", " "}};
  for (const auto& [typographic, plain] : kPlain) {
    for (auto at = text.find(typographic); at != std::string::npos; at = text.find(typographic, at + plain.size())) {
      text.replace(at, typographic.size(), plain);
    }
  }
  return text;
}

void drop_suffix(std::string& text, std::string_view suffix) {
  if (text.size() > suffix.size() && text.ends_with(suffix)) {
    text = std::string(trim(text.substr(0, text.size() - suffix.size())));
  }
}

// Removes the mnemonic marker before a letter: "_Save", "Save _As". Several markers are part of the name, as in
// "my_file_name".
std::string without_mnemonic(std::string_view text, char marker) {
  if (std::count(text.begin(), text.end(), marker) != 1) return std::string(text);
  const auto at = text.find(marker);
  if (at + 1 >= text.size() || text[at + 1] == ' ') return std::string(text);
  return std::string(text.substr(0, at)) + std::string(text.substr(at + 1));
}

}  // namespace

std::string plain_name(std::string_view name) {
  const std::string spaced = single_spaces(without_typography(std::string(name)));
  std::string plain = without_mnemonic(without_mnemonic(spaced, '_'), '&');
  for (const std::string_view suffix : {"...", "\u2026", ":"}) drop_suffix(plain, suffix);
  const auto half = plain.size() / 2;
  if (plain.size() >= 3 && plain.size() % 2 == 1 && plain[half] == ' ' &&
      std::string_view(plain).substr(0, half) == std::string_view(plain).substr(half + 1)) {
    plain.resize(half);
  }
  return plain;
}

std::optional<Kind> kind_named(std::string_view words) {
  if (const auto found = std::ranges::find(kRoleWords, words, &RoleWords::words); found != std::end(kRoleWords)) {
    return Kind{found->wish, {}};
  }
  if (const auto found = std::ranges::find(kWrittenKinds, words, &RoleWords::words); found != std::end(kWrittenKinds)) {
    return Kind{found->wish, {}};
  }
  const bool is_role = std::ranges::find(contract::kRoles, words) != contract::kRoles.end();
  return is_role ? std::optional(Kind{RoleWish::kExactly, std::string(words)}) : std::nullopt;
}

bool fits(const Kind& kind, std::string_view role) {
  return kind.wish == RoleWish::kExactly ? role == kind.exact_role : role_fits(kind.wish, role);
}

LocatedTarget parse_target(std::string_view query) {
  LocatedTarget target;
  target.literal = std::string(without_quotes(query));
  target.name = target.literal;
  if (target.literal != trim(query)) return target;  // A quoted query has no role words.
  std::string_view rest = target.literal;
  if (fold_case(rest).starts_with("the ")) rest = trim(rest.substr(4));
  const std::string folded = fold_case(rest);
  if (folded.size() != rest.size()) return target;
  for (const auto& [words, wish] : kRoleWords) {
    std::string_view name;
    if (folded == words) {
      name = {};
    } else if (folded.ends_with(words) && folded[folded.size() - words.size() - 1] == ' ') {
      name = rest.substr(0, rest.size() - words.size());
    } else if (folded.starts_with(words) && folded[words.size()] == ' ') {
      name = rest.substr(words.size());
    } else {
      continue;
    }
    target.name = std::string(without_quotes(name));
    target.kind.wish = wish;
    return target;
  }
  target.name = std::string(without_quotes(rest));
  return target;
}

bool role_fits(RoleWish wish, std::string_view role) {
  switch (wish) {
    case RoleWish::kAny: return true;
    case RoleWish::kExactly: return false;  // fits() compares it.
    case RoleWish::kText:
      return one_of(role, {"text", "entry", "label", "static", "heading", "paragraph", "caption", "document text"});
    case RoleWish::kSpinButton: return one_of(role, {"spin button"});
    case RoleWish::kList: return one_of(role, {"list", "list box", "tree", "tree table", "table"});
    case RoleWish::kTable: return one_of(role, {"table", "tree table", "tree"});
    case RoleWish::kButton:
      return one_of(role, {"push button", "toggle button", "push button menu", "button", "menu button"});
    case RoleWish::kField:
      return one_of(role, {"text", "entry", "password text", "spin button", "edit bar", "combo box", "document text",
                           "paragraph", "terminal"});
    case RoleWish::kCheckBox: return one_of(role, {"check box", "check menu item", "switch", "toggle button"});
    case RoleWish::kRadioButton: return one_of(role, {"radio button", "radio menu item"});
    case RoleWish::kComboBox: return one_of(role, {"combo box"});
    case RoleWish::kMenu: return one_of(role, {"menu", "popup menu", "menu bar", "push button menu", "menu button"});
    case RoleWish::kMenuItem: return one_of(role, {"menu item", "check menu item", "radio menu item", "menu"});
    case RoleWish::kTab: return one_of(role, {"page tab"});
    case RoleWish::kLink: return one_of(role, {"link"});
    case RoleWish::kIcon: return one_of(role, {"icon", "image"});
    case RoleWish::kListItem: return one_of(role, {"list item", "table cell", "tree item", "table row"});
    case RoleWish::kLabel: return one_of(role, {"label", "static", "heading"});
    case RoleWish::kSlider: return one_of(role, {"slider", "scroll bar"});
    case RoleWish::kItem:
      return role_fits(RoleWish::kMenuItem, role) || role_fits(RoleWish::kListItem, role) || role == "option";
    case RoleWish::kSwitch: return one_of(role, {"switch", "toggle button"});
    case RoleWish::kDialog: return one_of(role, {"dialog", "alert", "file chooser", "frame", "window"});
  }
  return false;
}

double name_score(std::string_view name, std::string_view wanted) {
  if (trim(name).empty() || trim(wanted).empty()) return 0;
  if (name == wanted) return 1;
  const std::string plain = plain_name(name);
  const std::string plain_wanted = plain_name(wanted);
  if (plain.empty() || plain_wanted.empty()) return 0;
  if (plain == plain_wanted) return 0.99;
  const std::string folded = comparable_name(plain);
  const std::string folded_wanted = comparable_name(plain_wanted);
  if (folded == folded_wanted) return 0.95;
  switch (match_symbol(folded, folded_wanted)) {
    case SymbolMatch::kName: return 0.9;
    case SymbolMatch::kMayMean: return 0.65;
    case SymbolMatch::kNone: break;
  }
  // A longer part of the name is a better match.
  const double share = 0.15 * static_cast<double>(folded_wanted.size()) / static_cast<double>(folded.size());
  switch (find_words(folded, folded_wanted)) {
    case Within::kWords: return 0.7 + share;
    case Within::kUnspaced: return 0.4 + share;
    case Within::kNo: return 0;
  }
  return 0;
}

bool may_read_text(const LocatedTarget& target, const v1::Window& window) {
  return !window.started_run() || !target.window.empty();
}

bool is_wanted_window(const LocatedTarget& target, const v1::Window* window) {
  if (target.window.empty()) return true;
  if (window == nullptr) return false;
  return target.whole_title ? is_same_name(window->title(), target.window)
                            : name_contains(window->title(), target.window);
}

}  // namespace da::observer
