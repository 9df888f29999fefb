/** A program that uses the messaging layer as a library of its own: open {@code Chat}. */
@NullMarked
package org.starling.chat;

import org.jspecify.annotations.NullMarked;
