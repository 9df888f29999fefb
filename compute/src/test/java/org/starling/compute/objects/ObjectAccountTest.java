package org.starling.compute.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;

class ObjectAccountTest {
    private static final String FILE =
            """
            # keys
            [default]
            aws_access_key_id = first
            aws_secret_access_key=one=1

            [night]
            aws_access_key_id = second
            aws_secret_access_key = two
            aws_session_token = passing
            """;

    @TempDir private Path home;

    @Test
    void takesKeysOfTheEnvironmentBeforeThoseOfAFile() throws IOException {
        writeKeys();

        ObjectAccount account =
                ObjectAccount.of(
                        Map.of(
                                "AWS_ACCESS_KEY_ID", "a",
                                "AWS_SECRET_ACCESS_KEY", "b",
                                "AWS_SESSION_TOKEN", "c",
                                "AWS_REGION", "eu-central-1"),
                        home);

        assertThat(account.keys()).isEqualTo(new ObjectKeys("a", "b", "c"));
        assertThat(account.region()).isEqualTo("eu-central-1");
    }

    @Test
    void takesAProfileOfAFile() throws IOException {
        Path file = writeKeys();
        Files.writeString(
                home.resolve(".aws/config"),
                "[default]\nregion = a-1\ns3 =\n  region = x\n[profile night]\nregion = b-2\n");

        ObjectAccount usual = ObjectAccount.of(Map.of(), home);
        ObjectAccount night = ObjectAccount.of(Map.of("AWS_PROFILE", "night"), home);
        ObjectAccount named =
                ObjectAccount.of(
                        Map.of("AWS_SHARED_CREDENTIALS_FILE", file.toString()),
                        Path.of("/nowhere"));

        assertThat(usual.keys()).isEqualTo(new ObjectKeys("first", "one=1", ""));
        assertThat(usual.region()).isEqualTo("a-1");
        assertThat(night.keys()).isEqualTo(new ObjectKeys("second", "two", "passing"));
        assertThat(night.region()).isEqualTo("b-2");
        assertThat(named.keys()).isEqualTo(usual.keys());
        assertThat(named.region()).isEqualTo("us-east-1");
    }

    @Test
    void asksWithoutKeysWhereThereAreNone() {
        assertThat(ObjectAccount.of(Map.of(), home).keys()).isNull();
    }

    @Test
    void refusesHalfOfWhatIsNeeded() throws IOException {
        writeKeys();

        assertThatThrownBy(() -> ObjectAccount.of(Map.of("AWS_ACCESS_KEY_ID", "a"), home))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("only one is set");
        assertThatThrownBy(() -> ObjectAccount.of(Map.of("AWS_PROFILE", "day"), home))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("under [day]")
                .hasMessageNotContaining("first");
        assertThatThrownBy(() ->
                        ObjectAccount.of(
                                Map.of("AWS_SHARED_CREDENTIALS_FILE", home + "/none"), home))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is not there");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.example.org",
                "ftp://a.org",
                "http://a:b@c.org",
                "http://[",
                "http://a.org?x"
            })
    void refusesWhatIsNoServer(String endpoint) {
        assertThatThrownBy(() -> ObjectAccount.of(Map.of("AWS_ENDPOINT_URL", endpoint), home))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("AWS_ENDPOINT_URL")
                .hasMessageNotContaining("a:b");
    }

    @ParameterizedTest
    @CsvSource({
        ", data, https://data.s3.us-east-1.amazonaws.com/a%20b?x=",
        ", my.data, https://s3.us-east-1.amazonaws.com/my.data/a%20b?x=",
        "http://127.0.0.1:9000/, data, http://127.0.0.1:9000/data/a%20b?x=",
        "https://a.org/gate, data, https://a.org/gate/data/a%20b?x="
    })
    void knowsWhereObjectsAre(String endpoint, String bucket, String address) {
        ObjectAccount account =
                ObjectAccount.of(
                        endpoint == null ? Map.of() : Map.of("AWS_ENDPOINT_URL_S3", endpoint),
                        home);

        assertThat(account.address(bucket, "a%20b", "x=")).isEqualTo(URI.create(address));
    }

    private Path writeKeys() throws IOException {
        Files.createDirectory(home.resolve(".aws"));
        return Files.writeString(home.resolve(".aws/credentials"), FILE);
    }

    @ParameterizedTest
    @CsvSource({
        "hid\u00a0den, '', AWS_SECRET_ACCESS_KEY",
        "hidden, to\u0007ken, AWS_SESSION_TOKEN"
    })
    void refusesKeysThatCanNotBeSentAndShowsNothingOfThem(
            String secret, String token, String name) {
        assertThatThrownBy(() -> new ObjectKeys("AKID", secret, token))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(name + " has ")
                .hasMessageNotContainingAny("AKID", "hid", "ken");
    }
}
