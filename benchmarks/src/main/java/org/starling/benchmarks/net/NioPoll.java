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
     * Lets all links receive until they have ended.
     *
     * @param links whose channels block
     * @throws ClosedByInterruptException when the thread is interrupted
     */
    static void serve(List<NioLink> links, Waiting waiting) throws IOException {
        if (waiting == Waiting.SPIN) {
            spin(links);
        } else if (links.size() == 1) {
            boolean open = true;
            while (open) {
                open = links.getFirst().receive();
            }
        } else {
            select(links);
        }
    }

    private static void spin(List<NioLink> links) throws IOException {
        for (NioLink link : links) {
            link.channel().configureBlocking(false);
        }
        List<NioLink> open = new ArrayList<>(links);
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

    private static void select(List<NioLink> links) throws IOException {
        try (Selector selector = Selector.open()) {
            for (NioLink link : links) {
                link.channel().configureBlocking(false);
                link.channel().register(selector, SelectionKey.OP_READ, link);
            }
            int open = links.size();
            while (open > 0) {
                selector.select();
                checkNotInterrupted();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (!((NioLink) key.attachment()).receive()) {
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
