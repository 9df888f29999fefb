/**
 * The inside of the messaging layer; nobody else's. The way of a message out and the way in stand,
 * in call order, at {@link org.starling.net}; both begin in {@link
 * org.starling.net.internal.Messenger}.
 */
@NullMarked
package org.starling.net.internal;

import org.jspecify.annotations.NullMarked;
