package org.starling.net.internal;

/** What the checkers use of a ring, be it the real one or the broken copy. */
interface TestRing {

    long claim(int bytes);

    void commit(long address, long header);

    void close();

    long address();

    int scan(int limitBytes);

    int sendIndex();

    void sent(int bytes);

    boolean releaseIfQuiet();

    /** A limit that is never reached. */
    long FAR = 1L << 40;

    /** The real one. */
    static TestRing real(int capacity) {
        OutgoingRing ring = new OutgoingRing(capacity);
        return new TestRing() {
            @Override
            public long claim(int bytes) {
                long address = ring.tryClaim(ring.tail(), bytes);
                return address == OutgoingRing.FULL ? ring.claim(bytes, FAR) : address;
            }

            @Override
            public void commit(long address, long header) {
                ring.commit(address, header);
            }

            @Override
            public void close() {
                ring.close();
            }

            @Override
            public long address() {
                return ring.address();
            }

            @Override
            public int scan(int limitBytes) {
                return ring.scan(limitBytes);
            }

            @Override
            public int sendIndex() {
                return ring.sendIndex();
            }

            @Override
            public void sent(int bytes) {
                ring.sent(bytes);
            }

            @Override
            public boolean releaseIfQuiet() {
                return ring.releaseIfQuiet();
            }
        };
    }
}
