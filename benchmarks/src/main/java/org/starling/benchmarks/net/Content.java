package org.starling.benchmarks.net;

/**
 * What the messages of one opening have in them; immutable and thread-safe.
 *
 * @param payload on the raw path
 * @param sample of objects
 */
record Content(Payload payload, SampleContent sample) implements AutoCloseable {
    static Content of(NetPlan plan, boolean whole) {
        return new Content(
                new Payload(plan.bytes(), whole),
                new SampleContent(Math.max(plan.bytes(), NetPlan.MIN_OBJECT_BYTES), whole));
    }

    @Override
    public void close() {
        payload.close();
    }
}
