// What a run wrote to stdout, at its end. Main thread.
#pragma once

namespace da::console {

// The exit code of a program that would end with this one: where lines were lost (a full disk, say) it says so on
// stderr, and done becomes kTaskFailed. Where nobody reads any more (`| head -1`), nothing is said.
int after_output(int exit_code);

}  // namespace da::console
