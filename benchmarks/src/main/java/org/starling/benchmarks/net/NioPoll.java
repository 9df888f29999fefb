package org.starling.benchmarks.net;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.starling.net.Waiting;

/**
 * Waits for bytes on plain sockets, in the way that is best for them: blocking in the read of a
 * single one, else in a selector; or reading again and again.
 */
final class NioPoll {
    private NioPoll() {}

    /**
     * Lets all ends receive until none expects more.
     *
     * @param ends whose channels block
     * @throws ClosedByInterruptException when the thread is interrupted
     */
    static void serve(List<? extends NioEnd> ends, Waiting waiting) throws IOException {
        if (waiting == Waiting.SPIN) {
            spin(ends);
        } else if (ends.size() == 1) {
            boolean expectsMore = true;
            while (expectsMore) {
                expectsMore = ends.getFirst().receive();
            }
        } else {
            select(ends);
        }
    }

    private static void spin(List<? extends NioEnd> ends) throws IOException {
        for (NioEnd end : ends) {
            end.link().channel().configureBlocking(false);
        }
        List<NioEnd> open = new ArrayList<>(ends);
        while (!open.isEmpty()) {
            for (int i = open.size() - 1; i >= 0; i--) {
                if (!open.get(i).receive()) {
                    open.remove(i);
                }
            }
            checkNotInterrupted();
            Thread.onSpinWait();
        }
    }

    private static void select(List<? extends NioEnd> ends) throws IOException {
        try (Selector selector = Selector.open()) {
            for (NioEnd end : ends) {
                end.link().channel().configureBlocking(false);
                end.link().channel().register(selector, SelectionKey.OP_READ, end);
            }
            int open = ends.size();
            while (open > 0) {
                selector.select();
                checkNotInterrupted();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (!((NioEnd) key.attachment()).receive()) {
                        key.cancel();
                        open--;
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    private static void checkNotInterrupted() throws ClosedByInterruptException {
        if (Thread.currentThread().isInterrupted()) {
            throw new ClosedByInterruptException();
        }
    }
}
