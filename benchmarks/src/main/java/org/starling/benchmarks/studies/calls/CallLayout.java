package org.starling.benchmarks.studies.calls;

import java.nio.ByteBuffer;
import org.starling.net.MalformedMessageException;

/**
 * Calls and answers in bytes, for technologies that bring no form of their own. Big-endian:
 *
 * <pre>
 * call:   u32 bytes that follow | u8 pattern | i64 first | i64 second | i64 each element
 * answer: u32 bytes that follow | i64 number | i64 each element
 * </pre>
 */
final class CallLayout {

    /** In front of each: how many bytes follow. */
    static final int LENGTH_BYTES = Integer.BYTES;

    /** Most bytes that follow. */
    static final int MAX_BYTES = 32 + CallPattern.MAX_VECTOR * Long.BYTES;

    private static final int CALL_HEADER_BYTES = 1 + 2 * Long.BYTES;
    private static final int ANSWER_HEADER_BYTES = Long.BYTES;

    private CallLayout() {}

    /** A call with its length in front, ready to be read. */
    static ByteBuffer bytes(Call call) {
        ByteBuffer to = frame(CALL_HEADER_BYTES, call.vector());
        to.put((byte) call.pattern().code()).putLong(call.first()).putLong(call.second());
        return finish(to, call.vector());
    }

    /** An answer with its length in front, ready to be read. */
    static ByteBuffer bytes(Answer answer) {
        ByteBuffer to = frame(ANSWER_HEADER_BYTES, answer.vector());
        to.putLong(answer.number());
        return finish(to, answer.vector());
    }

    /** The call in all bytes that remain. */
    static Call call(ByteBuffer from) {
        check(from.remaining(), CALL_HEADER_BYTES);
        CallPattern pattern = CallPattern.of(from.get());
        return new Call(pattern, from.getLong(), from.getLong(), vector(from));
    }

    /** The answer in all bytes that remain. */
    static Answer answer(ByteBuffer from) {
        check(from.remaining(), ANSWER_HEADER_BYTES);
        return new Answer(from.getLong(), vector(from));
    }

    /**
     * Checks a length before so much is allocated.
     *
     * @return it
     */
    static int checkedLength(int bytes) {
        if (bytes < 0 || bytes > MAX_BYTES) {
            throw new MalformedMessageException(
                    "a call or answer has up to %d bytes, found %d".formatted(MAX_BYTES, bytes));
        }
        return bytes;
    }

    private static void check(int bytes, int headerBytes) {
        if (bytes < headerBytes || (bytes - headerBytes) % Long.BYTES != 0) {
            throw new MalformedMessageException(
                    "no call and no answer has %d bytes".formatted(bytes));
        }
    }

    private static ByteBuffer frame(int headerBytes, long[] vector) {
        int bytes = headerBytes + vector.length * Long.BYTES;
        return ByteBuffer.allocate(LENGTH_BYTES + bytes).putInt(bytes);
    }

    private static ByteBuffer finish(ByteBuffer to, long[] vector) {
        to.asLongBuffer().put(vector);
        return to.position(0);
    }

    private static long[] vector(ByteBuffer from) {
        long[] vector = new long[from.remaining() / Long.BYTES];
        from.asLongBuffer().get(vector);
        return vector;
    }
}
