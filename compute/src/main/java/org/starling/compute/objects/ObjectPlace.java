package org.starling.compute.objects;

import java.util.Locale;
import org.starling.graph.InvalidInputException;

/**
 * A place in object stores that scripts may use: a bucket, a folder or an object in one, or all
 * buckets. Immutable.
 *
 * @param bucket its name; {@code *} for all
 * @param key what lies there or under it as in a folder; empty for the whole bucket
 * @param writable whether results may go there, too
 */
public record ObjectPlace(String bucket, String key, boolean writable) {
    private static final String WRITABLE_SCHEME = "s3+write://";
    private static final String ALL = "*";

    /** Whether an entry of a list of places is meant as one of these. */
    public static boolean isPlace(String entry) {
        String small = entry.strip().toLowerCase(Locale.ROOT);
        return small.startsWith(ObjectName.SCHEME) || small.startsWith(WRITABLE_SCHEME);
    }

    /**
     * Reads {@code s3://BUCKET}, {@code s3://BUCKET/FOLDER}, {@code s3://*}, or these with {@code
     * s3+write}.
     *
     * @throws InvalidInputException if it is none
     */
    public static ObjectPlace parse(String entry) {
        String text = entry.strip();
        boolean writable = text.toLowerCase(Locale.ROOT).startsWith(WRITABLE_SCHEME);
        String rest = text.substring(text.indexOf("://") + "://".length());
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        String key = slash < 0 ? "" : rest.substring(slash + 1);
        while (key.endsWith("/")) {
            key = key.substring(0, key.length() - 1);
        }
        boolean isAll = bucket.equals(ALL) && key.isEmpty();
        if (!isAll && (!ObjectName.BUCKET.matcher(bucket).matches() || key.contains(ALL))) {
            throw new InvalidInputException(
                    "expected a bucket or a folder in one, such as s3://data or s3://data/graphs, or s3://*, found \"%s\""
                            .formatted(entry));
        }
        if (!isAll) {
            key = new ObjectName(bucket, key).key();
        }
        return new ObjectPlace(bucket, key, writable);
    }

    /** The place that an object's folder is: what to allow for it. */
    public static ObjectPlace of(ObjectName name, boolean writable) {
        String folder = name.folder();
        return new ObjectPlace(
                name.bucket(),
                folder.isEmpty() ? "" : folder.substring(0, folder.length() - 1),
                writable);
    }

    /** Whether an object lies here, and may be read or written. */
    public boolean covers(ObjectName name, boolean write) {
        if (write && !writable) {
            return false;
        }
        if (bucket.equals(ALL)) {
            return true;
        }
        return bucket.equals(name.bucket())
                && (key.isEmpty() || name.key().equals(key) || name.key().startsWith(key + "/"));
    }

    /** As entries are written. */
    @Override
    public String toString() {
        return (writable ? WRITABLE_SCHEME : ObjectName.SCHEME)
                + bucket
                + (key.isEmpty() ? "" : "/" + key);
    }
}
