package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starling.net.NodeUnknownException;

/** Where superpeers are looked for that share a name. */
final class AddressTableTest {
    private static final InetSocketAddress SHARED =
            InetSocketAddress.createUnresolved("superpeers", 7400);

    private final List<String> records =
            new ArrayList<>(List.of("10.0.0.3", "10.0.0.1", "fd00::2"));
    private final AddressTable table = new AddressTable(this::resolve);

    @Test
    void looksForEachAtOneAddressAfterTheOther() {
        table.putSuperpeers(Collections.nCopies(3, SHARED));

        for (int id = 0; id < 3; id++) {
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                seen.add(address(id));
            }
            assertThat(seen)
                    .containsExactlyInAnyOrder("10.0.0.1", "10.0.0.3", "fd00:0:0:0:0:0:0:2");
        }
    }

    @Test
    void looksUpTheNameAgainAtEachTry() {
        table.putSuperpeers(Collections.nCopies(3, SHARED));
        records.clear();
        assertThatThrownBy(() -> table.addressOf(1))
                .isInstanceOf(NodeUnknownException.class)
                .hasMessageContaining("\"superpeers\", and there is no host of that name");

        records.add("10.0.0.9");

        assertThat(address(1)).isEqualTo("10.0.0.9");
    }

    @Test
    void looksNowhereElseOnceItWasTold() {
        table.putSuperpeers(Collections.nCopies(3, SHARED));
        table.put(1, 0, "10.0.0.7", 7401);

        for (int i = 0; i < 4; i++) {
            assertThat(table.addressOf(1)).isEqualTo(at("10.0.0.7", 7401));
        }
    }

    @Test
    void takesOneAddressOfANameThatBelongsToOne() {
        table.putSuperpeers(List.of(InetSocketAddress.createUnresolved("127.0.0.1", 1), SHARED));

        assertThat(table.addressOf(0)).isEqualTo(at("127.0.0.1", 1));
    }

    /** Seeds are named in any order, so the id of one that is met may stand for another. */
    @Test
    void stillLooksWhereAnotherWasThoughtToBe() {
        table.putSuperpeers(
                List.of(
                        InetSocketAddress.createUnresolved("127.0.0.1", 1),
                        InetSocketAddress.createUnresolved("127.0.0.2", 2)));
        table.guess(2);

        table.answered(0, 1);

        assertThat(table.addressOf(1)).isEqualTo(at("127.0.0.1", 1));
        assertThat(table.addressOf(0)).isEqualTo(at("127.0.0.2", 2));
        assertThat(table.isGuess(0)).as("who is there is not known").isTrue();
        assertThat(table.isGuess(1)).isFalse();
    }

    /** At one of the addresses of a name was one that was thought to be somewhere else. */
    @Test
    void looksAtAllAddressesOfANameForOneThatWasMetAtOneOfThem() {
        table.putSuperpeers(
                List.of(SHARED, SHARED, InetSocketAddress.createUnresolved("127.0.0.1", 1)));
        table.guess(3);

        table.answered(0, 2);

        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            seen.add(address(2));
        }
        assertThat(seen).hasSize(3);
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private String address(int id) {
        return Objects.requireNonNull(table.addressOf(id)).getAddress().getHostAddress();
    }

    private InetAddress[] resolve(String host) throws UnknownHostException {
        if (records.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return records.stream().map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
    }
}
