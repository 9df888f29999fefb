/**
 * Small programs to copy and start from, each a whole job that reads in one sitting. They compile
 * against {@code org.starling.graph} alone, and are found on the class path through {@link
 * java.util.ServiceLoader}. Start with the shortest one, then change it and run it with {@code
 * ./starling run}.
 */
@NullMarked
package org.starling.examples;

import org.jspecify.annotations.NullMarked;
