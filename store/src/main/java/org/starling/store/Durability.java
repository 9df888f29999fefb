package org.starling.store;

/** What a write survives once it has been acknowledged; each is named by the fault it survives. */
public enum Durability {
    /** The owner holds it. Survives nothing; for data that can be computed again. */
    MEMORY,
    /**
     * Every live backup holds it in its write buffer. Survives the loss of the owner and of all but
     * one backup. Takes two live backups, or one where no more are wanted.
     */
    PROCESS,
    /**
     * As {@link #PROCESS}, and on disk on at least two backups, or on the one where no more are
     * wanted. Survives power lost everywhere.
     */
    POWER
}
