package org.starling.store;

import java.util.Map;

/**
 * Who was granted access to the cluster: short records under names, kept in the directory, so that
 * every superpeer knows them and they survive every loss that the directory survives. What a record
 * says is the business of whoever grants; secrets don't belong in it. Blocking; any thread but
 * receiving ones. Errors as in {@link NameService}.
 */
public interface AccessRegistry {
    /** The longest name, in bytes of UTF-8. */
    int MAX_NAME_BYTES = 64;

    /** The longest record. */
    int MAX_GRANT_BYTES = 256;

    /** The most records. */
    int MAX_GRANTS = 1000;

    /**
     * Grants access under a name that nobody has.
     *
     * @param name 1 to {@value #MAX_NAME_BYTES} bytes of UTF-8
     * @param grant what is granted, at most {@value #MAX_GRANT_BYTES} bytes
     * @return false if the name is taken; nothing has changed then
     * @throws StoreException if there are {@value #MAX_GRANTS} already, or one of the bounds is
     *     passed
     */
    boolean grant(String name, byte[] grant);

    /**
     * Takes back what a name was granted.
     *
     * @param name a name
     * @return true if it was granted anything
     */
    boolean revoke(String name);

    /**
     * All that was granted.
     *
     * @return records by ascending name
     */
    Map<String, byte[]> grants();
}
