package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;

/** What a leader knows of who lives, under a clock that the test moves. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class MemberWatchTest {
    private static final long WINDOW = Duration.ofMillis(400).toNanos();

    private final AtomicLong now = new AtomicLong(5_000);
    private final StoreConfig config = StoreConfig.defaults();
    private final MemberWatch watch = new MemberWatch(config, now::get);
    private final NodeInfo one = new NodeInfo(1, Role.PEER, "", 0, 1, 0);

    @Test
    void waitsForLeasesThatAPredecessorMayHaveGranted() {
        watch.takeOver(List.of(one), WINDOW);

        assertThat(watch.leaseEndNanos(1)).isEqualTo(5_000 + WINDOW + config.lease().toNanos());
        watch.heard(1);
        assertThat(watch.leaseEndNanos(1))
                .as("its own grant was earlier than the predecessor's last")
                .isEqualTo(5_000 + WINDOW + config.lease().toNanos());
        now.addAndGet(2 * WINDOW);
        watch.heard(1);
        watch.removed(1);
        assertThat(watch.leaseEndNanos(1)).isEqualTo(5_000 + 2 * WINDOW + config.lease().toNanos());
    }

    @Test
    void doesNotTakeANodeForOneThatLeftWhileItLedBefore() {
        watch.takeOver(List.of(one), WINDOW);
        watch.leaves(1);
        watch.removed(1);
        assertThat(watch.haveLeft(List.of(1))).isTrue();
        watch.stepDown(); // another one leads, and has another node join under this id

        watch.takeOver(List.of(one), WINDOW);
        watch.removed(1);

        assertThat(watch.haveLeft(List.of(1))).isFalse();
    }

    @Test
    void findsSilentMembersOverdueWhileItLeads() {
        watch.takeOver(List.of(one), WINDOW);
        assertThat(watch.overdue(Set.of())).isEmpty();
        for (int i = 0; i < 10; i++) {
            now.addAndGet(config.heartbeatInterval().toNanos());
            watch.overdue(Set.of());
        }

        assertThat(watch.overdue(Set.of())).containsExactly(1);
        watch.stepDown();
        assertThat(watch.overdue(Set.of())).isEmpty();
        assertThat(watch.leads()).isFalse();
    }

    @Test
    void givesANodeThatHasRegisteredMoreTimeForItsFirstHeartbeat() {
        watch.takeOver(List.of(), WINDOW);
        watch.overdue(Set.of());
        watch.admitted(1);
        pass(config.lossTimeout().multipliedBy(2));
        assertThat(watch.overdue(Set.of())).isEmpty();
        pass(config.lossTimeout());
        pass(config.heartbeatInterval());

        assertThat(watch.overdue(Set.of())).containsExactly(1);
        watch.heard(1);
        assertThat(watch.overdue(Set.of())).isEmpty();
        pass(config.lossTimeout());
        pass(config.heartbeatInterval());
        assertThat(watch.overdue(Set.of())).as("it has beaten, and is silent").containsExactly(1);
    }

    @Test
    void givesNodesThatStoreLongerWhileNoneOfThemIsHeardAndTimeToFollowTheFirst() {
        NodeInfo two = new NodeInfo(2, Role.PEER, "", 0, 1, 0);
        NodeInfo client = new NodeInfo(3, Role.PEER, "", 0, 1, 0);
        Set<Integer> storing = Set.of(1, 2);
        watch.takeOver(List.of(one, two, client), WINDOW);
        watch.overdue(storing);
        pass(config.heartbeatInterval(), storing);
        watch.heard(2); // and then they are cut off together
        pass(config.lossTimeout(), storing);
        assertThat(watch.overdue(storing)).doesNotContain(1);
        pass(config.lossTimeout(), storing);
        assertThat(watch.overdue(storing)).as("without data").containsExactly(3);
        watch.removed(3);

        watch.heard(2);
        assertThat(watch.overdue(storing)).isEmpty();
        for (int i = 0; i < 3; i++) {
            pass(config.heartbeatInterval(), storing);
            watch.heard(2);
            assertThat(watch.overdue(storing)).isEmpty();
        }
        pass(config.heartbeatInterval(), storing);
        watch.heard(2);
        assertThat(watch.overdue(storing)).as("2 could take over").containsExactly(1);
        watch.removed(1);

        pass(config.lossTimeout().multipliedBy(9), Set.of(2));
        assertThat(watch.overdue(Set.of(2))).isEmpty();
        pass(config.lossTimeout().multipliedBy(3), Set.of(2));
        assertThat(watch.overdue(Set.of(2))).containsExactly(2);
    }

    @Test
    void doesNotLetADeadNodeHangOnThePausesOfAnother() {
        NodeInfo two = new NodeInfo(2, Role.PEER, "", 0, 1, 0);
        Set<Integer> storing = Set.of(1, 2);
        watch.takeOver(List.of(one, two), WINDOW);
        watch.overdue(storing);
        Duration pause = config.lossTimeout().dividedBy(2).plus(config.heartbeatInterval());
        boolean isLost = false;
        for (int i = 0; i < 8 && !isLost; i++) {
            pass(pause, storing);
            watch.heard(2);
            isLost = watch.overdue(storing).contains(1);
        }

        assertThat(isLost).isTrue();
    }

    private void pass(Duration time) {
        pass(time, Set.of());
    }

    private void pass(Duration time, Set<Integer> storing) {
        Duration tick = config.heartbeatInterval();
        for (Duration left = time; left.isPositive(); left = left.minus(tick)) {
            now.addAndGet(Math.min(tick.toNanos(), left.toNanos()));
            watch.overdue(storing);
        }
    }

    @Test
    void showsMembersFromTheirFirstHeartbeatOnInViewsThatGrow() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(1, 1));
        directory.apply(new Command.RegisterSuperpeer(0, "", 0));
        watch.takeOver(directory.nodes(), WINDOW);
        View first = watch.view(directory);
        directory.apply(registerNode(Role.PEER, "", 0, 1, 0));
        View registered = watch.view(directory);

        boolean isNew = watch.heard(1);
        View heard = watch.view(directory);

        assertThat(isNew).isTrue();
        assertThat(watch.heard(1)).isFalse();
        assertThat(registered.nodes()).isEqualTo(first.nodes());
        assertThat(heard.nodes()).hasSize(2);
        assertThat(List.of(first.version(), registered.version(), heard.version()))
                .isSorted()
                .doesNotHaveDuplicates();
        MemberWatch successor = new MemberWatch(config, now::get);
        successor.takeOver(directory.nodes(), WINDOW);
        assertThat(successor.view(directory)).as("another leader's view").isEqualTo(heard);
    }
}
