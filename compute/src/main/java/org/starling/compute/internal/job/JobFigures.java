package org.starling.compute.internal.job;

/**
 * What the jobs that one node leads have done since it was started; all 0 on nodes that were never
 * the master.
 *
 * @param running jobs that it leads now
 * @param succeeded jobs that have ended with a result
 * @param failed jobs that have ended without one
 * @param cancelled jobs that have ended as somebody asked for it
 * @param supersteps of all their programs
 * @param messages of all their programs, before combining
 * @param recoveries from the loss of peers, of those that have ended
 */
public record JobFigures(
        int running,
        long succeeded,
        long failed,
        long cancelled,
        long supersteps,
        long messages,
        long recoveries) {}
