package org.starling.store.internal.log;

/**
 * Changes that were found unreadable when a log was opened.
 *
 * @param first position of the first that may be concerned
 * @param last position of the last
 */
record Damage(long first, long last) {}
