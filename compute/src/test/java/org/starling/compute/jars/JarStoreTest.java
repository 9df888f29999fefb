package org.starling.compute.jars;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.NodeSettings;
import org.starling.compute.internal.jars.JarStore;
import org.starling.graph.InvalidInputException;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.StoreNode;

/** Jars in a real store of one process. */
final class JarStoreTest {
    private static final int NOISE_BYTES = 9 << 20;
    private static final long HEAP_BYTES = 64L << 20;

    @TempDir Path folder;
    private final List<StoreNode> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        LoopbackHub hub = new LoopbackHub();
        NodeOptions options = NodeOptions.loopback(hub, NodeSettings.embeddedConfig(HEAP_BYTES));
        nodes.add(StoreNode.startSuperpeer(options));
        nodes.add(StoreNode.startPeer(options));
        nodes.add(StoreNode.startPeer(options));
    }

    @AfterEach
    void stop() {
        nodes.reversed().forEach(StoreNode::close);
    }

    @Test
    void givesAnotherNodeTheBytesOfAJarInPieces() throws IOException {
        JarContents contents = large();
        String digest = contents.jar().digest();
        store(0).put(contents);

        UserJar fetched = store(2).fetch(digest, Files.createDirectory(folder.resolve("in")));

        assertThat(fetched.file()).hasSameBinaryContentAs(contents.jar().file());
        assertThat(fetched.name()).isEqualTo("large.jar");
        assertThat(store(1).find(digest))
                .map(JarStore.Kept::bytes)
                .contains(contents.jar().bytes());
        assertThat(chunks()).isEqualTo(4); // three pieces and their index
    }

    @Test
    void leavesNothingBehindWhenAJarIsRemoved() throws IOException {
        JarContents contents = large();
        store(0).put(contents);

        assertThat(store(0).remove(contents.jar().digest(), () -> {})).isTrue();

        assertThat(chunks()).isZero();
        assertThat(nodes.getFirst().names().list()).isEmpty();
        assertThat(store(0).remove(contents.jar().digest(), () -> {})).isFalse();
        assertThatThrownBy(() -> store(1).fetch(contents.jar().digest(), folder))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("submit the script with --jar");
    }

    @Test
    void letsOneOfManyRemoveAJarWhoseChunksMayBeOthersThen() throws Exception {
        JarContents contents = large();
        store(0).put(contents);
        int removers = 8;
        CountDownLatch allStand = new CountDownLatch(removers);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> removed = new ArrayList<>();
            for (int i = 0; i < removers; i++) {
                removed.add(
                        threads.submit(() -> {
                            allStand.countDown();
                            allStand.await();
                            return store(0).remove(contents.jar().digest(), () -> {});
                        }));
            }

            int count = 0;
            for (Future<Boolean> one : removed) {
                count += one.get() ? 1 : 0;
            }

            assertThat(count).isEqualTo(1);
        }
        assertThat(chunks()).isZero();
    }

    @Test
    void keepsAJarThatSomebodyNeedsAtTheLastLook() throws IOException {
        JarContents contents = large();
        String digest = contents.jar().digest();
        store(0).put(contents);

        assertThatThrownBy(() ->
                        store(0).remove(
                                        digest,
                                        () -> {
                                            assertThat(store(1).find(digest)).isEmpty();
                                            throw new InvalidInputException("needed");
                                        }))
                .hasMessage("needed");

        assertThat(store(1).find(digest)).isPresent();
    }

    @Test
    void leavesNothingOfAJarThatCannotBeReadToItsEnd() throws IOException {
        JarContents contents = large();
        Path file = contents.jar().file();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> store(0).put(contents)).isInstanceOf(InvalidInputException.class);

        assertThat(chunks()).isZero();
        assertThat(nodes.getFirst().names().list()).isEmpty();
    }

    @Test
    void bringsAJarAnewOfWhichAnUploadLeftAPart() throws IOException {
        JarContents contents = large();
        String digest = contents.jar().digest();
        store(0).put(contents);
        long index = nodes.getFirst().names().lookup("jar/" + digest);
        String text = new String(nodes.get(1).chunks().get(index), UTF_8);
        nodes.get(1).chunks().put(index, text.replace("true", "false").getBytes(UTF_8));
        assertThat(store(0).find(digest)).isEmpty();
        assertThat(store(0).list()).isEmpty();

        store(0).put(contents);

        assertThat(store(0).find(digest)).isPresent();
        assertThat(chunks()).isEqualTo(4);
    }

    @Test
    void doesNotTakeTheNameForTheBytes() throws IOException {
        JarContents contents = large();
        String digest = contents.jar().digest();
        store(0).put(contents);
        StoreNode owner = nodes.get(nodes.get(1).chunks().statistics().chunks() > 0 ? 1 : 2);
        long index = nodes.getFirst().names().lookup("jar/" + digest);
        owner.chunks().remove(index + 2);

        assertThat(store(0).find(digest)).isEmpty();
    }

    private JarStore store(int node) {
        return new JarStore(nodes.get(node));
    }

    private long chunks() {
        return nodes.stream().skip(1).mapToLong(node -> node.chunks().statistics().chunks()).sum();
    }

    private JarContents large() throws IOException {
        byte[] noise = new byte[NOISE_BYTES];
        new Random(5).nextBytes(noise);
        Path file = new JarBuilder().entry("noise", noise).build(folder.resolve("large.jar"));
        String digest = JarInspection.digest(file);
        UserJar jar = new UserJar(digest, "large.jar", Files.size(file), file);
        return new JarContents(jar, Map.of(), Set.of(), Map.of());
    }
}
