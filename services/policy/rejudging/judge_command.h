// `da-policy judge`: judges the steps of recordings again. Main thread.
#pragma once

namespace da::policy {

int run_judge(int argc, char** argv);

}  // namespace da::policy
