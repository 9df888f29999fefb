package org.starling.benchmarks.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.store.ChunkService;

/**
 * A range of chunks of one length, each of which begins with its index; writes keep it so. The rest
 * of a payload is zero.
 *
 * @param first id of the first
 * @param chunks how many
 * @param bytes length of each, at least 8
 */
record Load(long first, int chunks, int bytes) {
    /** Room for the index. */
    static final int MIN_BYTES = Long.BYTES;

    private static final VarHandle BEGIN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Written together when the chunks are made. */
    private static final int BATCH = 1_024;

    /** Makes the chunks. */
    static Load make(ChunkService service, int chunks, int bytes) {
        Load load = new Load(service.createRange(chunks, bytes), chunks, bytes);
        for (int from = 0; from < chunks; from += BATCH) {
            int count = Math.min(BATCH, chunks - from);
            long[] ids = new long[count];
            byte[][] values = new byte[count][];
            for (int i = 0; i < count; i++) {
                ids[i] = load.id(from + i);
                values[i] = load.value(from + i);
            }
            service.put(ids, values);
        }
        return load;
    }

    long id(int index) {
        return first + index;
    }

    byte[] value(int index) {
        byte[] value = new byte[bytes];
        mark(value, index);
        return value;
    }

    static void mark(byte[] value, int index) {
        BEGIN.set(value, 0, (long) index);
    }

    void check(int index, byte[] value) {
        if (value.length != bytes) {
            throw wrong(index);
        }
        check(index, (long) BEGIN.get(value, 0));
    }

    void check(int index, long begin) {
        if (begin != index) {
            throw wrong(index);
        }
    }

    private static WrongResultException wrong(int index) {
        return new WrongResultException("chunk " + index + " is not what was written");
    }
}
