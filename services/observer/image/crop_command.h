// `da-observer crop`: cuts a part out of a picture, because da-console has no image library. Main thread.
#pragma once

namespace da::observer {

// Reads a PNG or JPEG file from stdin, and writes the part as PNG, with the same pixels, to stdout. 0 done, 1 the
// picture or the part is unusable, 2 bad usage.
int run_crop(int argc, char** argv);

}  // namespace da::observer
