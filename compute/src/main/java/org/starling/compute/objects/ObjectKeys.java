package org.starling.compute.objects;

/**
 * The keys that requests to an object store are signed with. Their text shows none of it.
 *
 * @param accessKey names the account; no secret, and shown nowhere all the same
 * @param secretKey signs
 * @param sessionToken goes with keys that are valid for a while; empty for others
 */
public record ObjectKeys(String accessKey, String secretKey, String sessionToken) {
    @Override
    public String toString() {
        return "keys of an object store";
    }
}
