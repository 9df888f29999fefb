package org.starling.compute.internal.run;

import org.starling.compute.internal.protocol.ComputeMessage.Direction;

/**
 * What the master knows of a run between two supersteps.
 *
 * @param superstep the superstep to come
 * @param over whether there is none
 * @param activateAll whether all vertices compute in it
 * @param mirrors whether mirrors have news
 * @param directions of each channel
 * @param lastDirections what each channel's next choice looks back to
 * @param pending sends, broadcasts and publications that wait
 * @param messages messages so far
 * @param computed vertices that computed in the last superstep
 * @param aggregates bits of the aggregates
 * @param globals bits of the globals
 */
@SuppressWarnings("ArrayRecordComponent") // whoever makes one gives the arrays away
public record MasterRunState(
        int superstep,
        boolean over,
        boolean activateAll,
        boolean mirrors,
        Direction[] directions,
        Direction[] lastDirections,
        long pending,
        long messages,
        long computed,
        long[] aggregates,
        long[] globals) {}
