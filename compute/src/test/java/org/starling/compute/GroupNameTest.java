package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Role;

/** Names of groups among the capabilities of peers. */
final class GroupNameTest {
    private static NodeInfo peer(long capabilities) {
        return new NodeInfo(4, Role.PEER, "host", 1, 1, capabilities);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "default", "night", "night-2", "-----------", "99999999999"})
    void travelsAmongTheCapabilities(String name) {
        GroupName group = new GroupName(name);
        long others = NodeOptions.COMPUTES | NodeOptions.STORES;

        NodeInfo peer = peer(others | group.capabilities());
        NodeInfo sick = peer.withDiskHanging(true);

        assertThat(GroupName.of(peer)).isEqualTo(group);
        assertThat(GroupName.of(sick)).isEqualTo(group);
        assertThat(GroupName.of(peer.withLeaving(true))).isEqualTo(group);
        assertThat(peer.computes() && peer.keeps()).isTrue();
        assertThat(sick.keeps()).isFalse();
        assertThat(group.has(peer)).isTrue();
        assertThat(new GroupName("other").has(peer)).isFalse();
    }

    @Test
    void isTheUsualOneWhereNothingIsSaid() {
        assertThat(GroupName.of(peer(NodeOptions.COMPUTES))).isEqualTo(GroupName.DEFAULT);
        assertThat(GroupName.DEFAULT.has(peer(NodeOptions.STORES))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Night", "a b", "twelve-chars", "nächte"})
    void refusesOtherNames(String name) {
        assertThatThrownBy(() -> new GroupName(name))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is no name of a group; take 1 to 11 small letters");
    }
}
