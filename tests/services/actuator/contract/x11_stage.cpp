#include <sstream>

#include "tests/services/actuator/contract/stage.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator::contract {
namespace {

class X11Stage final : public Stage {
 public:
  Desktop& desktop() override { return session_.desktop(); }

  Target open_target(const std::string& title) override {
    Target target;
    target.window =
        session_.start("/usr/bin/python3 " DA_SOURCE_DIR "/tests/services/actuator/contract/x11_target.py " +
                           session_.file("").string() + " " + title,
                       title);
    if (!eventually([&] { return std::filesystem::exists(session_.file(title + ".pad")); })) {
      throw std::runtime_error("the target program does not tell the place of its pad");
    }
    std::istringstream place(read_file(session_.file(title + ".pad")));
    place >> target.pad.x >> target.pad.y >> target.pad.width >> target.pad.height;
    return target;
  }
  Events received(const std::string& title) override {
    std::istringstream lines(read_file(session_.file(title + ".events")));
    Events events;
    for (std::string line; std::getline(lines, line);) events.push_back(line);
    return events;
  }
  std::string text(const std::string& title) override { return read_file(session_.file(title + ".text")); }

 private:
  TestSession session_;
};

}  // namespace

std::unique_ptr<Stage> open_stage() { return std::make_unique<X11Stage>(); }

}  // namespace da::actuator::contract
