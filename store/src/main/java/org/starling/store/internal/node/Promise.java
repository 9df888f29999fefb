package org.starling.store.internal.node;

import org.starling.store.Durability;

/**
 * What durability a cluster can give now.
 *
 * @param wanted backups of a zone
 * @param storing peers with data directories that are up
 */
record Promise(int wanted, int storing) {
    /** From so many on a write can be on two disks besides its owner's. */
    private static final int PEERS_FOR_POWER = 3;

    /** The most that a write can have. */
    Durability durability() {
        return storing >= PEERS_FOR_POWER ? Durability.POWER : Durability.MEMORY;
    }

    /** For people, at start. */
    String sentence() {
        if (storing == 0) {
            return "This cluster promises durability "
                    + Durability.MEMORY
                    + ": chunks are held by their owner alone and are gone when it is; it has no"
                    + " backup peers.";
        }
        int possible = Math.min(wanted, storing - 1);
        String peers =
                storing == 1
                        ? "1 peer with a data directory is"
                        : storing + " peers with data directories are";
        String backups =
                "k = "
                        + wanted
                        + " wanted, "
                        + possible
                        + " backups possible while "
                        + peers
                        + " up";
        return "This cluster promises durability "
                + durability()
                + (durability() == Durability.POWER
                        ? " (" + backups + ")."
                        : " only (" + backups + "; POWER and PROCESS need 2).");
    }
}
