/**
 * The inside of the messaging layer; nobody else's. Start with {@link
 * org.starling.net.internal.Exchange}.
 */
@NullMarked
package org.starling.net.internal;

import org.jspecify.annotations.NullMarked;
