package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;

/** A descriptor's chunk in a store that does not do what it is asked. */
final class DescriptorChunkTest {
    private static final long CHUNK = 77;

    private static final GraphDescriptor DESCRIPTOR =
            new GraphDescriptor(
                    "g",
                    0,
                    false,
                    false,
                    true,
                    4,
                    new long[] {0},
                    new long[] {0},
                    new int[0],
                    new long[0],
                    new long[0],
                    new long[0],
                    List.of(),
                    new long[0],
                    0,
                    false,
                    0);

    private final List<String> asked = new ArrayList<>();
    private final List<StoreException> answers = new ArrayList<>();

    /** Notes what it is asked, and answers puts in turn; those after all answers succeed. */
    private final ChunkService chunks =
            (ChunkService)
                    Proxy.newProxyInstance(
                            ChunkService.class.getClassLoader(),
                            new Class<?>[] {ChunkService.class},
                            (_, method, _) -> {
                                asked.add(method.getName());
                                if (method.getName().equals("put") && !answers.isEmpty()) {
                                    throw answers.removeFirst();
                                }
                                return method.getName().equals("createOn") ? CHUNK : null;
                            });

    @Test
    void isWrittenOnceMoreWhenNobodyHasAnswered() {
        answers.add(new IndeterminateException("late", null));

        assertThat(DescriptorChunk.write(chunks, 1, DESCRIPTOR)).isEqualTo(CHUNK);
        assertThat(asked).containsExactly("createOn", "put", "put");
    }

    @Test
    void leavesNoChunkBehindWhenItCannotBeWritten() {
        answers.add(new UnderReplicatedException(Durability.POWER, 2, 1));

        assertThatThrownBy(() -> DescriptorChunk.write(chunks, 1, DESCRIPTOR))
                .isInstanceOf(UnderReplicatedException.class);
        assertThat(asked).containsExactly("createOn", "put", "remove");
    }
}
