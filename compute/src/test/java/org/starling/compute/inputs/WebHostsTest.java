package org.starling.compute.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.objects.ObjectName;
import org.starling.graph.InvalidInputException;

class WebHostsTest {
    @ParameterizedTest
    @CsvSource({
        "data.example.org, http://data.example.org/a",
        "data.example.org, https://DATA.example.org./a",
        "data.example.org, https://data.example.org:443/a",
        "data.example.org:8080, http://data.example.org:8080/a",
        "*.example.org, http://a.b.example.org/a",
        "*, http://anything.example/a",
        "[::1]:8080, http://[::1]:8080/a",
        "10.0.0.5, http://10.0.0.5/a"
    })
    void allowsWhatAnEntryNames(String entry, String address) {
        WebHosts hosts = new WebHosts(List.of(entry));

        assertThatCode(() -> hosts.require(URI.create(address), "")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "data.example.org, http://example.org/a",
        "data.example.org, http://data.example.org.evil.net/a",
        "data.example.org, http://evildata.example.org/a",
        "data.example.org, http://data.example.org:8080/a",
        "data.example.org:8080, http://data.example.org/a",
        "*.example.org, http://example.org/a",
        "*.example.org, http://evilexample.org/a",
        "example.org, http://example.org:22/a"
    })
    void refusesWhatNoEntryNames(String entry, String address) {
        WebHosts hosts = new WebHosts(List.of(entry));

        assertThatThrownBy(() -> hosts.require(URI.create(address), "--allow-url HOST"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("may read nothing from")
                .hasMessageContaining("allowed: " + entry)
                .hasMessageContaining("--allow-url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://a.org",
                "a.org/b",
                "a b",
                "*a.org",
                "a.*",
                "a.org:",
                "a.org:123456",
                "user@a.org",
                "..",
                "a\nb"
            })
    void refusesEntriesThatAreNoHosts(String entry) {
        assertThatThrownBy(() -> new WebHosts(List.of(entry)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("expected a host");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "0.0.0.0",
                "100.64.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fd00::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1"
            })
    void knowsAddressesOfTheOwnNetwork(String address) throws UnknownHostException {
        assertThat(WebHosts.isInside(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"93.184.215.14", "100.63.0.1", "172.32.0.1", "2606:2800:21f::1"})
    void knowsPublicAddresses(String address) throws UnknownHostException {
        assertThat(WebHosts.isInside(InetAddress.getByName(address))).isFalse();
    }

    @Test
    void readsTheOwnNetworkOnlyWhereItsHostIsNamed() {
        URI own = URI.create("http://127.0.0.1/x");

        assertThatThrownBy(() -> new WebHosts(List.of("*")).requireReachable(own))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("one of the own network");
        assertThatCode(() -> new WebHosts(List.of("*", "127.0.0.1")).requireReachable(own))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://",
                "http:///x",
                "http://a b/x",
                "http://u:secret@a.org/x",
                "https://?"
            })
    void refusesAddressesThatMakeNoSense(String address) {
        assertThatThrownBy(() -> OtherInputs.address(address))
                .isInstanceOf(InvalidInputException.class)
                .satisfies(wrong -> assertThat(wrong.getMessage()).doesNotContain("secret"));
    }

    @Test
    void keepsBucketsAndHostsApart() {
        WebHosts hosts = new WebHosts(List.of("*", "s3://Data/Big/", "s3+write://results/night"));

        assertThat(hosts.entries())
                .containsExactly("*", "s3://Data/Big", "s3+write://results/night");
        assertThatCode(() -> hosts.require(ObjectName.parse("s3://Data/Big/x"), false, ""))
                .doesNotThrowAnyException();
        assertThatCode(() -> hosts.require(ObjectName.parse("s3://results/night/x"), true, ""))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> hosts.require(ObjectName.parse("s3://Data/Big/x"), true, ""))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("may not write");
        assertThatThrownBy(() ->
                        new WebHosts(List.of("s3://results"))
                                .require(URI.create("http://s3/results"), ""))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> WebHosts.checked("s3://a"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("such as s3://data");
    }
}
