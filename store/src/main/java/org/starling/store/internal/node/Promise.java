package org.starling.store.internal.node;

import org.starling.store.Durability;
import org.starling.store.internal.replica.ReplicaConfig;

/**
 * What durability a cluster can give now.
 *
 * @param wanted backups of a zone
 * @param storing peers with data directories that are up
 */
record Promise(int wanted, int storing) {
    /** The most that a write can have. */
    Durability durability() {
        return possible() >= least() ? Durability.POWER : Durability.MEMORY;
    }

    /** For people, at start. */
    String sentence() {
        if (storing == 0) {
            return "This cluster promises durability "
                    + Durability.MEMORY
                    + ": chunks are held by their owner alone and are gone when it is; it has no"
                    + " backup peers.";
        }
        String peers =
                storing == 1
                        ? "1 peer with a data directory is"
                        : storing + " peers with data directories are";
        int possible = possible();
        String backups =
                "k = "
                        + wanted
                        + " wanted, "
                        + possible
                        + (possible == 1 ? " backup" : " backups")
                        + " possible while "
                        + peers
                        + " up";
        return "This cluster promises durability " + name() + rest(backups);
    }

    /** With one backup POWER is less than it usually is, so it has a name of its own. */
    private String name() {
        return durability() == Durability.POWER && least() == 1
                ? Durability.POWER + " WITH ONE BACKUP"
                : durability().toString();
    }

    private String rest(String backups) {
        if (durability() == Durability.MEMORY) {
            return " only (%s; POWER and PROCESS need %d).".formatted(backups, least());
        }
        return least() == 1
                ? ": what is acknowledged survives the loss of the owner, or of the backup, or of"
                        + " power everywhere, but not that of a second disk or peer before it has"
                        + " been copied again ("
                        + backups
                        + ")."
                : " (" + backups + ").";
    }

    private int possible() {
        return Math.min(wanted, storing - 1);
    }

    private int least() {
        return ReplicaConfig.leastBackups(wanted);
    }
}
