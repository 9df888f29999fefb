package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.Durability;

/** What is said at start of what data survives. */
@Timeout(10)
final class PromiseTest {
    @Test
    void promisesPowerWithTwoBackupsOrMore() {
        assertThat(new Promise(3, 4).durability()).isEqualTo(Durability.POWER);
        assertThat(new Promise(3, 4).sentence())
                .isEqualTo(
                        "This cluster promises durability POWER (k = 3 wanted, 3 backups possible"
                                + " while 4 peers with data directories are up).");
        assertThat(new Promise(2, 3).durability()).isEqualTo(Durability.POWER);
    }

    @Test
    void promisesNothingWithOneBackupWhereMoreAreWanted() {
        assertThat(new Promise(2, 2).durability()).isEqualTo(Durability.MEMORY);
        assertThat(new Promise(3, 2).sentence())
                .isEqualTo(
                        "This cluster promises durability MEMORY only (k = 3 wanted, 1 backup"
                                + " possible while 2 peers with data directories are up; POWER and"
                                + " PROCESS need 2).");
    }

    @Test
    void namesWhatOneBackupGivesWhereNoMoreAreWanted() {
        assertThat(new Promise(1, 2).durability()).isEqualTo(Durability.POWER);
        assertThat(new Promise(1, 5).sentence())
                .startsWith("This cluster promises durability POWER WITH ONE BACKUP: ")
                .contains("k = 1 wanted, 1 backup possible while 5 peers");
        assertThat(new Promise(1, 1).durability()).isEqualTo(Durability.MEMORY);
        assertThat(new Promise(1, 1).sentence()).contains("POWER and PROCESS need 1");
    }
}
