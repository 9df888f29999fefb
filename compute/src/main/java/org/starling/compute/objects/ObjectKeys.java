package org.starling.compute.objects;

import org.starling.graph.InvalidInputException;

/**
 * The keys that requests to an object store are signed with. Their text shows none of it.
 *
 * @param accessKey names the account; no secret, and shown nowhere all the same
 * @param secretKey signs
 * @param sessionToken goes with keys that are valid for a while; empty for others
 */
public record ObjectKeys(String accessKey, String secretKey, String sessionToken) {
    /**
     * Checks that they can be sent.
     *
     * @throws InvalidInputException which shows none of them, if they can't
     */
    public ObjectKeys {
        requirePrintable("AWS_ACCESS_KEY_ID", accessKey);
        requirePrintable("AWS_SECRET_ACCESS_KEY", secretKey);
        requirePrintable("AWS_SESSION_TOKEN", sessionToken);
    }

    private static void requirePrintable(String name, String value) {
        if (value.chars().anyMatch(sign -> sign <= ' ' || sign > '~')) {
            throw new InvalidInputException(
                    "%s has blanks or other signs that no key has (not printable ASCII); set it anew, in the environment or in the file of keys"
                            .formatted(name));
        }
    }

    @Override
    public String toString() {
        return "keys of an object store";
    }
}
