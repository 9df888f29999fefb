package org.starling.compute.internal.run;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;

/**
 * One channel in one superstep, as the kernels that carry broadcasts need it.
 *
 * @param published what was broadcast in the superstep before
 * @param everyone whether every vertex of the graph that has edges has broadcast; of no use to push
 * @param settled own vertices that want nothing any more
 * @param inbox inbox of own vertices
 * @param remote where messages for other nodes go; null if there are none, or nothing is pushed
 */
record ChannelStep(
        Published published,
        boolean everyone,
        Bitmap settled,
        Inbox inbox,
        PushKernel.@Nullable RemoteTargets remote) {}
