package org.starling.compute.objects;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/**
 * The name of an object, {@code s3://BUCKET/KEY}, of several ({@code *} and {@code ?} in the last
 * part of the key), or of all that lie directly in a folder (a key that is empty or ends in {@code
 * /}). Keys stand as they are, without escapes. Immutable.
 *
 * @param bucket letters, digits, dots, hyphens and underscores
 * @param key without parts that are {@code .} or {@code ..}, which servers on the way may leave out
 */
public record ObjectName(String bucket, String key) {
    /** How such names begin. */
    public static final String SCHEME = "s3://";

    static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]");

    /** Most bytes of a key. */
    private static final int MAX_KEY_BYTES = 1024;

    /**
     * Checks both.
     *
     * @throws InvalidInputException if there can't be such an object
     */
    public ObjectName {
        if (!BUCKET.matcher(bucket).matches() || bucket.contains("..")) {
            throw new InvalidInputException(
                    "\"%s%s/…\" names no bucket: that has 3 to 63 letters, digits, dots and hyphens"
                            .formatted(SCHEME, shown(bucket)));
        }
        if (key.getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
            throw new InvalidInputException(
                    "a key in %s%s has more than %d bytes, which no object store takes"
                            .formatted(SCHEME, bucket, MAX_KEY_BYTES));
        }
        List<String> parts = List.of(key.split("/", -1));
        if (!key.equals(shown(key)) || parts.contains("..") || parts.contains(".")) {
            throw new InvalidInputException(
                    "\"%s%s/%s\": keys with control characters, or with . or .. between slashes, are not read or written; copy the object to another key"
                            .formatted(SCHEME, bucket, shown(key)));
        }
    }

    /** Whether a script's name of a file means objects. */
    public static boolean isName(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    }

    /**
     * Reads a name.
     *
     * @throws InvalidInputException if it is none
     */
    public static ObjectName parse(String name) {
        String rest = name.substring(SCHEME.length());
        int slash = rest.indexOf('/');
        if (slash < 0) {
            throw new InvalidInputException(
                    "\"%s\" names a bucket alone; name an object in it (%s%s/KEY), or all of its top folder (%s%s/)"
                            .formatted(name, SCHEME, shown(rest), SCHEME, shown(rest)));
        }
        return new ObjectName(rest.substring(0, slash), rest.substring(slash + 1));
    }

    /** Whether it stands for all objects of a folder. */
    public boolean isFolder() {
        return key.isEmpty() || key.endsWith("/");
    }

    /** Whether it stands for those that a pattern matches. */
    public boolean isPattern() {
        return last().contains("*") || last().contains("?");
    }

    /** The key up to its last slash, that included; empty in the top folder. */
    public String folder() {
        return key.substring(0, key.lastIndexOf('/') + 1);
    }

    /** What stands behind the last slash. */
    public String last() {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    /** What all keys begin with that it stands for. */
    public String literalPrefix() {
        int sign = folder().length();
        while (sign < key.length() && key.charAt(sign) != '*' && key.charAt(sign) != '?') {
            sign++;
        }
        return key.substring(0, sign);
    }

    /** Which last parts of keys it stands for. */
    public Pattern lastPattern() {
        StringBuilder pattern = new StringBuilder();
        String wanted = isFolder() ? "*" : last();
        wanted.codePoints()
                .forEach(sign -> {
                    switch (sign) {
                        case '*' -> pattern.append(".*");
                        case '?' -> pattern.append('.');
                        default -> pattern.append(Pattern.quote(Character.toString(sign)));
                    }
                });
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }

    /** Another object of the same bucket. */
    public ObjectName sibling(String otherKey) {
        return new ObjectName(bucket, otherKey);
    }

    @Override
    public String toString() {
        return SCHEME + bucket + "/" + key;
    }

    private static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
