package org.starling.compute.cluster;

/**
 * What the supervisor did about a process that had died.
 *
 * @param process its name
 * @param at when, as in ISO 8601
 * @param pid what the process id of the dead one was
 * @param report where its JVM wrote why it crashed; empty if it was killed, or ended by itself
 * @param outcome one sentence
 */
public record Restart(String process, String at, long pid, String report, String outcome) {}
