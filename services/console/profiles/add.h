// `add-region` and `add-template`: mark a place of the desktop, and add it to a profile. They only look. Main thread.
#pragma once

#include "services/console/profiles/options.h"

namespace da::console {

// Checks the place on the desktop if it can be seen. Prints a note about a doubtful place, and adds it all the same.
int add_region(const AddToProfileOptions& options);

// Saves the pixels of the place as a picture in templates/ beside the profile. The place must be visible.
int add_template(const AddToProfileOptions& options);

}  // namespace da::console
