#include "services/planner/rules/commands/add_entry_command.h"

#include <iostream>
#include <iterator>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/contract/json/strict_json.h"
#include "services/planner/rules/edit/add_entry.h"

namespace da::planner::rules {
namespace {

constexpr int kAdded = 0;
constexpr int kRefused = 1;
constexpr int kBadEntry = 2;
constexpr const char* kTemplates = "templates";

int failed(int exit_code, const std::string& why) {
  std::cerr << "da-console: " << escape_foreign_lines(why, 2000) << "\n";
  return exit_code;
}

}  // namespace

CLI::App* add_entry_command(CLI::App& app, AddEntryArguments& arguments) {
  CLI::App* command = app.add_subcommand("add", "add a region or a template: for add-region and add-template");
  command->group("");
  command->add_option("LIST", arguments.list)->required()->check(CLI::IsMember({"regions", kTemplates}));
  command->add_option("PROFILE", arguments.profile)->required();
  command->add_option("ENTRY", arguments.entry)->required();
  command->add_flag("--replace", arguments.replace);
  return command;
}

int run_add_entry(const AddEntryArguments& arguments) {
  auto entry = contract::read_json_document(arguments.entry, {});
  if (!entry || !entry->is_object() || !entry->contains("name") || !(*entry)["name"].is_string()) {
    return failed(kBadEntry, "ENTRY must be a JSON object with a name");
  }
  NewEntry added{arguments.list, *std::move(entry), arguments.replace ? SameName::kReplace : SameName::kRefuse, {}};
  if (added.list == kTemplates) added.picture.assign(std::istreambuf_iterator<char>(std::cin), {});
  const auto result = add_entry(path_of(arguments.profile), added);
  if (!result) return failed(kRefused, result.error().message);
  Document line = {{"list", added.list}, {"entry", result->entry}};
  if (!result->picture.empty()) line["picture"] = text_of(result->picture);
  line["errors"] = result->errors;
  line["warnings"] = result->warnings;
  std::cout << line.dump(-1, ' ', false, Document::error_handler_t::replace) << std::endl;
  return kAdded;
}

}  // namespace da::planner::rules
