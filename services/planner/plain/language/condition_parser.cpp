#include "services/planner/plain/language/condition_parser.h"

#include <optional>
#include <span>

namespace da::planner::plain {
namespace {

struct PropertyWord {
  std::string_view word;
  Property is;
  std::optional<Property> is_not;
};

constexpr PropertyWord kElementWords[] = {{"visible", Property::kVisible, Property::kNotVisible},
                                          {"enabled", Property::kEnabled, Property::kDisabled},
                                          {"checked", Property::kChecked, Property::kUnchecked},
                                          {"disabled", Property::kDisabled, std::nullopt},
                                          {"unchecked", Property::kUnchecked, std::nullopt}};
constexpr PropertyWord kWindowWords[] = {{"open", Property::kWindowOpen, Property::kWindowClosed},
                                         {"closed", Property::kWindowClosed, std::nullopt}};

// Parses the words after "is".
Result<Property> parse_property(SentenceReader& in, std::span<const PropertyWord> words, std::string_view expected) {
  const bool negated = in.accept({"not"});
  for (const PropertyWord& each : words) {
    if (negated && !each.is_not) continue;
    if (in.accept({each.word})) return negated ? *each.is_not : each.is;
  }
  return in.expected(expected);
}

}  // namespace

Result<Check> parse_condition(SentenceReader& in) {
  Check command;
  in.accept({"the"});
  if (in.sees({"window"})) {
    ASSIGN_OR_RETURN(command.target, in.name());
    RETURN_IF_ERROR(in.expect("is"));
    ASSIGN_OR_RETURN(command.property, parse_property(in, kWindowWords, "\"open\" or \"closed\""));
    return command;
  }
  ASSIGN_OR_RETURN(command.target, in.target());
  if (in.accept({"has"})) {
    RETURN_IF_ERROR(in.expect("text"));
    command.property = Property::kText;
    ASSIGN_OR_RETURN(command.expected, in.text());
    return command;
  }
  if (!in.accept({"is"})) return in.expected("\"is\" or \"has text\"");
  ASSIGN_OR_RETURN(
      command.property,
      parse_property(in, kElementWords,
                     "\"visible\", \"enabled\", \"checked\", \"disabled\", \"unchecked\" or \"not visible\""));
  return command;
}

}  // namespace da::planner::plain
