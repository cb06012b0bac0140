// `da-observer analyze --image FILE`: analyses a picture file as if the desktop showed it. For da-console and
// da-planner, which link no image library. Needs no configuration and no service.
#pragma once

namespace da::observer {

// Reads one AnalyzeRequest a line from stdin, as protobuf's JSON, and answers each with one line: an AnalyzeReply in
// the same form. Exit code: 0 done, 1 unusable picture or request (reason on stderr), 2 bad usage.
int run_analyze(int argc, char** argv);

}  // namespace da::observer
