package org.starling.compute.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * As whom a node asks an object store, and where: from the variables and files that other tools of
 * such stores go by. Never from a script. Its text shows no keys. Immutable.
 *
 * @param keys what to sign with; null to ask without a signature, for what all may read
 * @param region that requests are signed for
 * @param endpoint the server, which is asked for buckets as paths; null for Amazon's
 */
public record ObjectAccount(@Nullable ObjectKeys keys, String region, @Nullable URI endpoint) {
    /** Where nothing is said. */
    private static final String USUAL_REGION = "us-east-1";

    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final Pattern HOST_BUCKET = Pattern.compile("[a-z0-9-]+");

    /** Largest file of keys, or of settings. */
    private static final int MAX_FILE_BYTES = 1 << 20;

    /**
     * Checks the region, which becomes a part of a host's name.
     *
     * @throws InvalidInputException if it is none
     */
    public ObjectAccount {
        if (!REGION.matcher(region).matches()) {
            throw new InvalidInputException(
                    "AWS_REGION: expected a region such as us-east-1, found \"%s\""
                            .formatted(region.replaceAll("\\p{Cntrl}", "?")));
        }
    }

    /**
     * That of this process.
     *
     * @throws InvalidInputException if its environment makes no sense
     */
    public static ObjectAccount ofProcess() {
        return of(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }

    /**
     * That of an environment: {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}, {@code
     * AWS_SESSION_TOKEN}, else the profile {@code AWS_PROFILE} of {@code
     * AWS_SHARED_CREDENTIALS_FILE} ({@code ~/.aws/credentials}); {@code AWS_REGION} or {@code
     * AWS_DEFAULT_REGION}, else that of {@code AWS_CONFIG_FILE} ({@code ~/.aws/config}); {@code
     * AWS_ENDPOINT_URL_S3} or {@code AWS_ENDPOINT_URL}.
     *
     * @throws InvalidInputException if it makes no sense
     */
    static ObjectAccount of(Map<String, String> environment, Path home) {
        String profile = first(environment, "AWS_PROFILE").orElse("default");
        String region =
                first(environment, "AWS_REGION", "AWS_DEFAULT_REGION")
                        .or(() -> region(environment, home, profile))
                        .orElse(USUAL_REGION);
        URI endpoint =
                first(environment, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
                        .map(ObjectAccount::endpoint)
                        .orElse(null);
        return new ObjectAccount(keys(environment, home, profile), region, endpoint);
    }

    /** Where objects are asked for, for people. */
    public String place() {
        return endpoint == null ? "Amazon S3 (" + region + ")" : endpoint.toString();
    }

    /** The address of what is named by a path that is escaped as signatures want it. */
    URI address(String bucket, String escapedKey, String query) {
        String path = "/" + escapedKey;
        String server;
        if (endpoint != null) {
            String own = String.valueOf(endpoint.getRawPath()).replaceAll("/+$", "");
            server = endpoint.getScheme() + "://" + endpoint.getRawAuthority() + own;
            path = "/" + bucket + path;
        } else if (HOST_BUCKET.matcher(bucket).matches()) {
            server = "https://%s.s3.%s.%s".formatted(bucket, region, domain());
        } else { // Amazon's certificates have one part before the domain
            server = "https://s3.%s.%s".formatted(region, domain());
            path = "/" + bucket + path;
        }
        return URI.create(server + path + (query.isEmpty() ? "" : "?" + query));
    }

    @Override
    public String toString() {
        return place() + (keys == null ? " without keys" : "");
    }

    private String domain() {
        return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    }

    private static URI endpoint(String text) {
        try {
            URI address = new URI(text);
            boolean isWeb =
                    "http".equalsIgnoreCase(address.getScheme())
                            || "https".equalsIgnoreCase(address.getScheme());
            if (isWeb
                    && address.getHost() != null
                    && address.getRawUserInfo() == null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null) {
                return address;
            }
        } catch (URISyntaxException wrong) {
            throw new InvalidInputException(
                    "AWS_ENDPOINT_URL is no address: " + wrong.getReason(), wrong);
        }
        throw new InvalidInputException(
                "AWS_ENDPOINT_URL: expected an address like https://store.example.org:9000, without a name or password in it");
    }

    private static @Nullable ObjectKeys keys(
            Map<String, String> environment, Path home, String profile) {
        Optional<String> access = first(environment, "AWS_ACCESS_KEY_ID");
        Optional<String> secret = first(environment, "AWS_SECRET_ACCESS_KEY");
        if (access.isPresent() != secret.isPresent()) {
            throw new InvalidInputException(
                    "of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set in this node's environment; set both, or neither");
        }
        if (access.isPresent()) {
            return new ObjectKeys(
                    access.get(), secret.get(), first(environment, "AWS_SESSION_TOKEN").orElse(""));
        }
        Optional<String> named = first(environment, "AWS_SHARED_CREDENTIALS_FILE");
        Path file = named.map(Path::of).orElse(home.resolve(".aws").resolve("credentials"));
        boolean isWanted = named.isPresent() || environment.containsKey("AWS_PROFILE");
        if (!isWanted && !Files.isReadable(file)) {
            return null;
        }
        Map<String, String> found = section(file, profile);
        String id = found.get("aws_access_key_id");
        String key = found.get("aws_secret_access_key");
        if (id != null && key != null) {
            return new ObjectKeys(id, key, found.getOrDefault("aws_session_token", ""));
        }
        if (!isWanted) {
            return null;
        }
        throw new InvalidInputException(
                "%s has no aws_access_key_id and aws_secret_access_key under [%s]; add them, or name another profile in AWS_PROFILE"
                        .formatted(file, profile));
    }

    private static Optional<String> region(
            Map<String, String> environment, Path home, String profile) {
        Path file =
                first(environment, "AWS_CONFIG_FILE")
                        .map(Path::of)
                        .orElse(home.resolve(".aws").resolve("config"));
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        String title = profile.equals("default") ? profile : "profile " + profile;
        return Optional.ofNullable(section(file, title).get("region"));
    }

    private static Optional<String> first(Map<String, String> environment, String... names) {
        for (String name : names) {
            String value = environment.get(name);
            if (value != null && !value.isBlank()) {
                return Optional.of(value.strip());
            }
        }
        return Optional.empty();
    }

    /** The settings under a title; a line that is none is passed over, and never told of. */
    private static Map<String, String> section(Path file, String title) {
        Map<String, String> found = new LinkedHashMap<>();
        String[] lines;
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new InvalidInputException(
                        "%s has more than %d bytes, so it holds no keys"
                                .formatted(file, MAX_FILE_BYTES));
            }
            lines = Files.readString(file, UTF_8).split("\\R", -1);
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
        boolean isIn = false;
        for (String line : lines) {
            String text = line.strip();
            int equals = text.indexOf('=');
            if (text.startsWith("[") && text.endsWith("]")) {
                isIn = text.substring(1, text.length() - 1).strip().equals(title);
            } else if (isIn
                    && equals > 0
                    && !Character.isWhitespace(line.charAt(0))
                    && !text.startsWith("#")) {
                found.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
            }
        }
        return found;
    }
}
