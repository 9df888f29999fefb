package org.starling.store.internal.replica;

import org.starling.store.internal.log.ReplayTarget;

/** Takes nothing. */
final class NoTags implements ReplayTarget {
    @Override
    public void put(int index, long position, long address, int bytes) {}

    @Override
    public void created(int first, int count, int each, long position) {}

    @Override
    public void createdListed(int first, int count, long sizesAddress, long position) {}

    @Override
    public void executed(int client, long sequence, int first, int count, long position) {}

    @Override
    public void damaged(long first, long last) {}

    @Override
    public void damagedChunk(int index, long position) {}
}
