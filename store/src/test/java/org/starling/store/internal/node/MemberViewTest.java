package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.NodeInfo;
import org.starling.store.Role;

/** Views that come in and what listeners hear, with the listeners' thread stepped by hand. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class MemberViewTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final AddressTable addresses = new AddressTable();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final List<String> heard = new ArrayList<>();
    private final LeaderGuess superpeers = new LeaderGuess(1, 0);
    private final MemberView members =
            new MemberView(
                    addresses, waiting::add, node -> heard.add("disconnect " + node), superpeers);

    MemberViewTest() {
        members.onJoin(node -> heard.add("join " + node.id()));
        members.onLoss(node -> heard.add("loss " + node.id()));
    }

    @Test
    void tellsListenersOfTheDifference() {
        members.update(view(1, 0, 1));
        members.update(view(2, 0, 2));
        step();

        assertThat(heard).containsExactly("join 0", "join 1", "disconnect 1", "loss 1", "join 2");
        assertThat(members.isMember(1)).isFalse();
        assertThat(members.isMember(2)).isTrue();
        assertThat(members.node(2)).isPresent();
    }

    @Test
    void passesOverViewsThatComeLate() {
        members.update(view(5, 0, 1, 2));
        members.update(view(4, 0, 1));
        members.update(view(5));

        assertThat(members.nodes()).hasSize(3);
        assertThat(members.version()).isEqualTo(5);
    }

    @Test
    void takesTheSuperpeerBackWhenItAnswersAgain() {
        members.update(view(3, 0, 1));
        members.superpeerLost();
        members.superpeerLost();
        assertThat(members.isMember(0)).isFalse();

        members.update(view(3, 0, 1));
        step();

        assertThat(members.isMember(0)).isTrue();
        assertThat(heard).containsExactly("join 0", "join 1", "disconnect 0", "loss 0", "join 0");
    }

    @Test
    void tellsAListenerNothingOfTheTimeBeforeIt() {
        members.update(view(1, 0));
        members.onJoin(node -> heard.add("late join " + node.id()));
        members.update(view(2, 0, 1));
        step();

        assertThat(heard).containsExactly("join 0", "join 1", "late join 1");
    }

    @Test
    void goesOnWhenAListenerFails() {
        members.onLoss(node -> {
            throw new IllegalStateException("a listener's own fault");
        });
        members.onLoss(node -> heard.add("second " + node.id()));
        members.update(view(1, 0, 1));
        members.update(view(2, 0));
        step();

        assertThat(heard).endsWith("loss 1", "second 1");
    }

    @Test
    void takesANodeWhoseDiskHangsForTheSame() {
        View before = view(1, 0, 1);
        NodeInfo hanging = before.nodes().get(1).withDiskHanging(true);
        members.update(before);

        members.update(new View(2, java.util.List.of(before.nodes().get(0), hanging)));
        step();

        assertThat(heard).containsExactly("join 0", "join 1");
        assertThat(members.node(1)).contains(hanging);
    }

    @Test
    void takesANodeThatIsToLeaveForTheSame() {
        View before = view(1, 0, 1);
        NodeInfo leaving = before.nodes().get(1).withLeaving(true);
        members.update(before);

        members.update(new View(2, java.util.List.of(before.nodes().get(0), leaving)));
        step();

        assertThat(heard).containsExactly("join 0", "join 1");
        assertThat(members.node(1)).contains(leaving);
    }

    @Test
    void keepsTheAddressOfALostNodeSoThatItCanBeTold() {
        members.update(view(1, 0, 1));
        members.update(view(2, 0));

        assertThat(addresses.addressOf(1)).isNotNull();
        assertThat(addresses.addressOf(9)).isNull();
    }

    @Test
    void waitsForANewcomerThatOthersKnowOf() {
        members.update(view(1, 0, 1));
        CompletableFuture<Boolean> early = members.joins(2, LONG);
        assertThat(early).isNotDone();

        members.update(view(2, 0, 1, 2));
        step();

        assertThat(early).isCompletedWithValue(true);
        assertThat(members.joins(2, LONG)).isCompletedWithValue(true);
    }

    @Test
    void waitsForNobodyWhoWasThereBeforeAndForNobodyLongerThanItIsTold() {
        members.update(view(1, 0, 1));
        members.update(view(2, 0));

        assertThat(members.joins(1, LONG)).as("lost").isCompletedWithValue(false);
        assertThat(members.joins(7, Duration.ofMillis(1)).join()).as("never comes").isFalse();
    }

    private void step() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    private static View view(long version, int... ids) {
        return new View(
                version,
                IntStream.of(ids)
                        .mapToObj(id ->
                                new NodeInfo(
                                        id,
                                        id == 0 ? Role.SUPERPEER : Role.PEER,
                                        "127.0.0.1",
                                        1000 + id,
                                        1,
                                        0))
                        .toList());
    }
}
