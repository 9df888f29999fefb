package org.starling.graph;

/**
 * The version of this API. Within a major version, code that was compiled against an older minor
 * one goes on to work.
 */
public final class ApiVersion {
    /** A jar runs on a node only if it was built against this major version. */
    public static final int MAJOR = 1;

    /**
     * Main attribute of a jar's manifest that says what it was built against: a major version, and
     * perhaps more behind a point ({@code 1} or {@code 1.2}).
     */
    public static final String MANIFEST_ATTRIBUTE = "Starling-Api-Version";

    private ApiVersion() {}
}
