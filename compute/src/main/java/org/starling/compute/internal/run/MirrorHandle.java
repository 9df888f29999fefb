package org.starling.compute.internal.run;

import java.util.Objects;
import org.starling.graph.DoubleMirror;
import org.starling.graph.IntMirror;
import org.starling.graph.LongMirror;

/** A mirror as one worker's program sees it. Confined to the worker's thread. */
abstract class MirrorHandle {
    private final Worker worker;
    private final Mirror mirror;
    private final long vertices;

    MirrorHandle(Worker worker, Mirror mirror, long vertices) {
        this.worker = worker;
        this.mirror = mirror;
        this.vertices = vertices;
    }

    final void publishBits(long ordinal, long value) {
        worker.checkOwn(ordinal);
        if (mirror.stage(ordinal, value)) {
            worker.countPublished();
        }
    }

    final long readBits(long ordinal) {
        return mirror.read(Objects.checkIndex(ordinal, vertices));
    }

    /** Integers of 32 bits. */
    static final class OfInt extends MirrorHandle implements IntMirror {
        OfInt(Worker worker, Mirror mirror, long vertices) {
            super(worker, mirror, vertices);
        }

        @Override
        public void publish(long ordinal, int value) {
            publishBits(ordinal, value);
        }

        @Override
        public int read(long ordinal) {
            return (int) readBits(ordinal);
        }
    }

    /** Integers of 64 bits. */
    static final class OfLong extends MirrorHandle implements LongMirror {
        OfLong(Worker worker, Mirror mirror, long vertices) {
            super(worker, mirror, vertices);
        }

        @Override
        public void publish(long ordinal, long value) {
            publishBits(ordinal, value);
        }

        @Override
        public long read(long ordinal) {
            return readBits(ordinal);
        }
    }

    /** Floating point numbers of 64 bits. */
    static final class OfDouble extends MirrorHandle implements DoubleMirror {
        OfDouble(Worker worker, Mirror mirror, long vertices) {
            super(worker, mirror, vertices);
        }

        @Override
        public void publish(long ordinal, double value) {
            publishBits(ordinal, Double.doubleToRawLongBits(value));
        }

        @Override
        public double read(long ordinal) {
            return Double.longBitsToDouble(readBits(ordinal));
        }
    }
}
