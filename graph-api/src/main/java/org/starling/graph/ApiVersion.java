package org.starling.graph;

/**
 * The version of this API that a job was written for. The jar of a job names it in its manifest, in
 * the attribute {@value #ATTRIBUTE}; a cluster whose {@link #MAJOR} is another one refuses the jar.
 */
public final class ApiVersion {
    /** Goes up when a job that worked has to be changed or compiled anew. */
    public static final int MAJOR = 1;

    /** Manifest attribute of a job's jar: the {@link #MAJOR} that it was compiled against. */
    public static final String ATTRIBUTE = "Starling-Api-Version";

    private ApiVersion() {}
}
