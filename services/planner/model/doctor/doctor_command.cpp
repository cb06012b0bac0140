#include "services/planner/model/doctor/doctor_command.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "services/planner/model/doctor/probe.h"

namespace da::planner::model {
namespace {

constexpr const char* kCommand = "doctor";
constexpr int kBadUsage = 2;

}  // namespace

bool is_doctor_command(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == kCommand; }

int run_doctor(int argc, char** argv) {
  std::string config_file;
  std::string base_url;
  ProbeOptions options;
  options.notify = [](const std::string& notice) { std::cerr << "da-planner: " << notice << std::endl; };
  CLI::App app("Checks the planner of a task; prints one JSON object per line.", std::string("da-planner ") + kCommand);
  app.add_option("--config", config_file, "the planner's configuration file (TOML)");
  app.add_option("--planner", options.planner, "planner, as in da-console --planner");
  app.add_option("--model", options.model, "model name (default: the provider's default model)");
  app.add_option("--base-url", base_url, "base URL of the model's server");
  app.add_flag("--ask", options.ask, "also ask the model one small question");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadUsage;
  }
  const auto config = config_file.empty() ? service::Config::parse("", kCommand) : service::Config::load(config_file);
  auto settings = config ? read_settings(*config, process_environment()) : Result<Settings>(config.error());
  if (settings && !base_url.empty()) {
    const auto checked = check_address(base_url);
    settings->base_url = base_url;
    if (!checked) settings = checked.error();
  }
  if (!settings) {
    return service::print_checks({{"planner", false, settings.error().message, "correct the planner's settings"}});
  }
  return service::print_checks(probe(*settings, process_environment(), options, system_clock()));
}

}  // namespace da::planner::model
