package org.starling.store;

/**
 * A failure domain whose loss alone would take the last live copy of something: all copies of some
 * zones are in it.
 *
 * @param domain its path, see {@link Place#domains()}
 * @param isHost whether it is one host, not several
 * @param zones how many zones have all their copies there
 */
public record Exposure(String domain, boolean isHost, int zones) {}
