// The content of text elements, and their selection.
#include "services/actuator/desktop/x11/atspi/atspi_tree.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

// AT-SPI numbers an element's selections from 0.
constexpr std::int32_t kFirstSelection = 0;

Result<int> count_of(AtspiBus& bus, const AccessibleRef& object, MonoTime deadline) {
  int characters = -1;
  CallBatch batch(bus);
  ask_property(batch, object, kText, "CharacterCount", characters);
  RETURN_IF_ERROR(batch.run(deadline, kSilenceLimit));
  if (characters < 0) return Error{Code::kUnimplemented, "the element exposes no text"};
  return characters;
}

}  // namespace

Result<TextContent> AtspiTree::content(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const auto chain, with_ancestors(asked));
  ASSIGN_OR_RETURN(const int length, count_of(*bus_, asked.ref, deadline));
  TextContent found{.length = static_cast<std::size_t>(length)};
  CallBatch batch(*bus_);
  if (chain.back().role != kRolePassword) {
    const auto end = std::min(length, static_cast<int>(kMaxElementText));
    batch.add(asked.ref, {kText, "GetText", [end](sd_bus_message* m) { (void)sd_bus_message_append(m, "ii", 0, end); }},
              [&found](sd_bus_message* m) {
                if (m != nullptr) found.text = read_string(m);
              });
  }
  int selections = -1;
  TextRange first;
  batch.add(asked.ref, {kText, "GetNSelections"}, [&selections](sd_bus_message* m) {
    if (m != nullptr) (void)sd_bus_message_read(m, "i", &selections);
  });
  batch.add(asked.ref,
            {kText, "GetSelection", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "i", kFirstSelection); }},
            [&first](sd_bus_message* m) {
              std::int32_t from = 0;
              std::int32_t to = 0;
              if (m == nullptr || sd_bus_message_read(m, "ii", &from, &to) <= 0) return;
              const auto [begin, end] = std::minmax(from, to);
              if (begin >= 0) first = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
            });
  RETURN_IF_ERROR(batch.run(deadline, kSilenceLimit));
  if (selections >= 0) found.selected = selections > 0 ? first : TextRange{};
  return found;
}

// GTK adds a selection where there is none, and changes it where there is one.
Result<void> AtspiTree::select_content(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const int length, count_of(*bus_, asked.ref, deadline));
  bool accepted = false;
  const auto answer = [&accepted](sd_bus_message* m) {
    int done = 0;
    if (m != nullptr && sd_bus_message_read(m, "b", &done) > 0 && done != 0) accepted = true;
  };
  CallBatch batch(*bus_);
  batch.add(asked.ref,
            {kText, "SetSelection",
             [length](sd_bus_message* m) { (void)sd_bus_message_append(m, "iii", kFirstSelection, 0, length); }},
            answer);
  RETURN_IF_ERROR(batch.run(deadline, kSilenceLimit));
  if (accepted) return ok();
  CallBatch added(*bus_);
  added.add(asked.ref,
            {kText, "AddSelection", [length](sd_bus_message* m) { (void)sd_bus_message_append(m, "ii", 0, length); }},
            answer);
  RETURN_IF_ERROR(added.run(deadline, kSilenceLimit));
  return accepted ? ok() : Result<void>(Error{Code::kUnimplemented, "the application does not select its text"});
}

}  // namespace da::actuator::x11
