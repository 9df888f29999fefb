package org.starling.benchmarks.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.starling.benchmarks.harness.ParentLine;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** A JVM with a superpeer and a peer that holds chunks for the bench of another process. */
final class OwnerProcess {
    private static final long HEAP_BYTES = 4L << 30;

    private OwnerProcess() {}

    /** Answers "chunks bytes" with "port first", the superpeer's and the first chunk's id. */
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        StoreConfig config = StoreConfig.defaults().withHeapBytes(HEAP_BYTES);
        try (StoreNode superpeer =
                        StoreNode.startSuperpeer(NodeOptions.ethernetSuperpeer(bind, config));
                StoreNode peer =
                        StoreNode.startPeer(
                                NodeOptions.ethernetPeer(
                                        bind, superpeer.address().orElseThrow(), config))) {
            ParentLine.serve(request -> {
                String[] words = request.split(" ", -1);
                Load load =
                        Load.make(
                                peer.chunks().with(Durability.MEMORY),
                                Integer.parseInt(words[0]),
                                Integer.parseInt(words[1]));
                return superpeer.address().orElseThrow().getPort() + " " + load.first();
            });
        }
    }
}
