package org.starling.loaders;

import java.io.IOException;

/** A source whose file says itself whether its edges have directions. */
interface Oriented {
    /** What the file says. */
    boolean directed() throws IOException;
}
