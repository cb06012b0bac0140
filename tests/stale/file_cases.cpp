#include "tests/stale/file_cases.h"

#include <fstream>
#include <iterator>

namespace da::stale {
namespace {

namespace fs = std::filesystem;

using Act = std::function<Result<void>(Scene&)>;

struct Change {
  std::string name;
  Expected expected;
  std::function<void(const fs::path& file)> act;
};

void write(const fs::path& file, const std::string& content) { std::ofstream(file, std::ios::binary) << content; }

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Renames another file over it, like a package manager or an attacker.
void replace(const fs::path& file, const fs::path& by) {
  const fs::path other = file.parent_path() / "other";
  fs::copy_file(by, other, fs::copy_options::overwrite_existing);
  fs::rename(other, file);
}

std::vector<Change> changes_of_any_file() {
  return {
      {"nothing", Expected::kAct, [](const auto&) {}},
      {"file was read", Expected::kAct, [](const auto& file) { (void)read(file); }},
      {"file appeared beside it", Expected::kAct, [](const auto& file) { write(file.parent_path() / "beside", "x"); }},
      {"file replaced by another", Expected::kRefuse, [](const auto& file) { replace(file, "/usr/bin/false"); }},
      {"file replaced by an equal one", Expected::kRefuse,
       [](const auto& file) {
         fs::copy_file(file, file.parent_path() / "equal", fs::copy_options::overwrite_existing);
         fs::rename(file.parent_path() / "equal", file);
       }},
      {"file replaced by a link", Expected::kRefuse,
       [](const auto& file) {
         fs::remove(file);
         fs::create_symlink("/usr/bin/false", file);
       }},
      {"file written to", Expected::kRefuse,
       [](const auto& file) { std::ofstream(file, std::ios::binary | std::ios::app) << "x"; }},
      {"file removed", Expected::kRefuse, [](const auto& file) { fs::remove(file); }},
      {"its directory replaced by a link", Expected::kRefuse,
       [](const auto& file) {
         const fs::path place = file.parent_path();
         const fs::path moved = place.parent_path() / "moved";
         const fs::path fake = place.parent_path() / "fake";
         fs::rename(place, moved);
         fs::create_directory(fake);
         fs::copy_file(moved / file.filename(), fake / file.filename());
         fs::create_directory_symlink(fake, place);
       }},
  };
}

Act restore(const fs::path& first, const fs::path& file) {
  return [first, file](Scene&) -> Result<void> {
    for (const char* left : {"moved", "fake"}) fs::remove_all(file.parent_path().parent_path() / left);
    for (const fs::path& directory : {first, file.parent_path()}) {
      fs::remove_all(directory);
      fs::create_directory(directory);
    }
    fs::copy_file("/usr/bin/true", file);
    return ok();
  };
}

}  // namespace

std::vector<Case> file_cases(const Application& application, const fs::path& directory) {
  const fs::path first = directory / "programs_first";
  const fs::path file = directory / "programs_second" / "stale-victim";
  const auto launch = [](const std::string& command) {
    return [command](Scene&) -> Result<v1::Action> {
      v1::Action action;
      action.mutable_launch()->set_command(command);
      return action;
    };
  };
  const auto file_delete = [file](Scene&) -> Result<v1::Action> {
    v1::Action action;
    action.mutable_file_delete()->set_path(file);
    return action;
  };
  std::vector<Case> cases;
  const auto add = [&](const std::string& tool, const auto& action, const Change& change) {
    cases.push_back({&application, tool, change.name, change.expected, action, restore(first, file),
                     [act = change.act, file](Scene&) -> Result<void> {
                       act(file);
                       return ok();
                     }});
  };
  for (const Change& change : changes_of_any_file()) {
    add("file_delete", file_delete, change);
    add("launch, by path", launch(file.string()), change);
    add("launch, by name", launch("stale-victim --flag"), change);
  }
  add("launch, by name", launch("stale-victim --flag"),
      {"program appeared earlier on PATH", Expected::kRefuse,
       [first](const auto&) { fs::copy_file("/usr/bin/false", first / "stale-victim"); }});
  return cases;
}

}  // namespace da::stale
