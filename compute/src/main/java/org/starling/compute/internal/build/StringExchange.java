package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.BitSet;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.Slaves;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.net.NativeMemory;

/**
 * Strings on their way from readers to the owners of shards. Each worker has a dictionary of those
 * that it has read; records carry codes, which count through the dictionaries of all workers of a
 * slave. With the first record that names a string to a slave goes the string; which of the two
 * comes first does not matter, since codes are looked up when everybody has sent everything.
 *
 * <p>Owned by {@link SlaveBuild}. Takes memory for the strings that were read here, and for those
 * that own shards have.
 */
final class StringExchange {
    private static final int RECORD_BYTES = 2 * Integer.BYTES;

    private final Exchange exchange;
    private final StringDictionary[] own;

    /** What comes before each worker's codes. */
    private final int[] bases;

    /** By worker and slave: the codes of the worker whose strings have been sent. */
    private final BitSet[][] sent;

    /** By slave: what it has sent; each confined to the thread that receives from it. */
    private final StringDictionary[] received;

    /** By slave: the code in {@link #received} of each code of the slave; confined likewise. */
    private final Int2IntOpenHashMap[] codes;

    StringExchange(Exchange exchange, Slabs slabs, Slaves slaves, int workers) {
        this.exchange = exchange;
        this.own = new StringDictionary[workers];
        Arrays.setAll(own, _ -> new StringDictionary(slabs));
        this.bases = new int[workers];
        this.sent = new BitSet[workers][slaves.count()];
        for (BitSet[] row : sent) {
            Arrays.setAll(row, _ -> new BitSet());
        }
        this.received = new StringDictionary[slaves.count()];
        Arrays.setAll(received, _ -> new StringDictionary(slabs));
        this.codes = new Int2IntOpenHashMap[slaves.count()];
        Arrays.setAll(codes, _ -> new Int2IntOpenHashMap());
    }

    /** Takes what a worker reads; its codes are to be renumbered before records leave. */
    StringDictionary dictionary(int worker) {
        return own[worker];
    }

    /** All has been read: numbers codes through all workers. */
    void number() {
        long base = 0;
        for (int worker = 0; worker < own.length; worker++) {
            own[worker].begin();
            bases[worker] = (int) base;
            base += own[worker].size();
            if (base > Integer.MAX_VALUE) {
                throw new InvalidInputException(
                        "a peer has read more than %d different strings; start more peers"
                                .formatted(Integer.MAX_VALUE));
            }
        }
    }

    /** Makes codes that a worker has written into such as count through all workers. */
    void renumber(int worker, PropertyLayout layout, long values) {
        for (int offset : layout.stringOffsets()) {
            long at = values + offset;
            NativeMemory.putInt(at, NativeMemory.getInt(at) + bases[worker]);
        }
    }

    /** Sends the strings of a record that goes to a slave, those that it does not have yet. */
    void send(int worker, int slave, PropertyLayout layout, long values) {
        for (int offset : layout.stringOffsets()) {
            int code = NativeMemory.getInt(values + offset);
            BitSet known = sent[worker][slave];
            if (!known.get(code - bases[worker])) {
                known.set(code - bases[worker]);
                send(worker, slave, code);
            }
        }
    }

    private void send(int worker, int slave, int code) {
        long string = own[worker].string(code - bases[worker]);
        int bytes = StringIndex.length(string);
        Outbox outbox = exchange.outbox(worker, slave, Exchange.STRINGS_LANE);
        long to = outbox.record(BlockLayout.STRINGS, 0, 0, RECORD_BYTES + bytes);
        NativeMemory.putInt(to, code);
        NativeMemory.putInt(to + Integer.BYTES, bytes);
        NativeMemory.copy(string + StringIndex.HEADER_BYTES, to + RECORD_BYTES, bytes);
    }

    /** Takes a block of strings; called by the thread that receives from that slave. */
    void onStrings(int slave, long records, long end, int count) {
        long at = records;
        for (int i = 0; i < count; i++) {
            Exchange.check(at + RECORD_BYTES <= end);
            int code = NativeMemory.getInt(at);
            int bytes = NativeMemory.getInt(at + Integer.BYTES);
            at += RECORD_BYTES;
            Exchange.check(
                    code >= 0
                            && bytes >= 0
                            && bytes <= Property.MAX_STRING_BYTES
                            && bytes <= end - at);
            codes[slave].put(code, received[slave].code(at, bytes));
            at += bytes;
        }
        Exchange.check(at == end);
    }

    /** Where the string of a code stands that came with records of a worker of this slave. */
    long ofWorker(int worker, int code) {
        return own[worker].string(code - bases[worker]);
    }

    /** Where the string of a code stands that came with records of another slave. */
    long ofSlave(int slave, int code) {
        Exchange.check(codes[slave].containsKey(code));
        return received[slave].string(codes[slave].get(code));
    }

    /** Where the empty string stands. */
    long empty() {
        return own[0].string(0);
    }
}
