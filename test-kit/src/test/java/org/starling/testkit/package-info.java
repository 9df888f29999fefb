/** Programs, right and wrong ones, and what the kit says of them. */
@NullMarked
package org.starling.testkit;

import org.jspecify.annotations.NullMarked;
