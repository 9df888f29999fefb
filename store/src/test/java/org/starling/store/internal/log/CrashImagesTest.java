package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/**
 * A log of 500 writes and removes, cut short, torn and spoilt in every way that a crash or an old
 * disk knows. Seeds can be given with -Dstarling.seed=….
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CrashImagesTest {
    private static final long SEED = Long.getLong("starling.seed", 20_261_121L);
    private static final int CHANGES = 500;
    private static final LogConfig CONFIG =
            new LogConfig(
                    64 << 10,
                    16 << 10,
                    1 << 20,
                    Duration.ofMillis(1),
                    10,
                    true,
                    Duration.ofHours(1));

    private static final LogConfig LONG =
            new LogConfig(
                    128 << 10,
                    16 << 10,
                    1 << 20,
                    Duration.ofMillis(1),
                    10,
                    true,
                    Duration.ofHours(1));

    private final long reservedBefore = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    /** A log that was cleaned again and again. */
    private static History history() throws IOException {
        History history = History.write(SEED, CHANGES, 60, 120, CONFIG, false);
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        assertThat(deeds).anyMatch(deed -> deed instanceof FakeDisk.Deleted);
        assertThat(history.fault(FakeDisk.after(deeds), CHANGES)).isNull();
        return history;
    }

    /** A log with much in it. */
    private static History longHistory() throws IOException {
        History history = History.write(SEED, CHANGES, 200, 4000, LONG, false);
        assertThat(history.disk.paths()).hasSizeGreaterThan(2);
        return history;
    }

    @Test
    void prefixesHoldWhatWasAcknowledged() throws IOException {
        checkPrefixes(8);
    }

    @Tag("slow")
    @Test
    void everyPrefixHoldsWhatWasAcknowledged() throws IOException {
        checkPrefixes(1);
    }

    /** Every so manieth of those that end with a sector, and as many that do not. */
    private static void checkPrefixes(int step) throws IOException {
        History history = history();
        Random random = new Random(SEED);
        FakeDisk disk = new FakeDisk();
        long acknowledged = 0;
        int images = 0;
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        long writes = deeds.stream().filter(deed -> deed instanceof FakeDisk.Written).count();
        for (FakeDisk.Deed deed : deeds) {
            if (deed instanceof FakeDisk.Written write) {
                for (int bytes = 0; bytes <= write.bytes().length; bytes += 512) {
                    if (images++ % step == 0) {
                        check(history, disk.copy().then(write, bytes), acknowledged);
                    }
                }
                for (int i = 0; i < 2000 / step / writes + 1; i++) {
                    int bytes = random.nextInt(write.bytes().length);
                    check(history, disk.copy().then(write, bytes), acknowledged);
                }
            } else if (deed instanceof FakeDisk.Acknowledged told) {
                acknowledged = told.position();
            }
            disk.then(deed, bytesOf(deed));
            if (images % step == 0) {
                check(history, disk.copy(), acknowledged);
            }
        }
        assertThat(images).isGreaterThan(1000);
    }

    private static int bytesOf(FakeDisk.Deed deed) {
        return deed instanceof FakeDisk.Written write ? write.bytes().length : 0;
    }

    private static void check(History history, FakeDisk image, long acknowledged)
            throws IOException {
        assertThat(history.fault(image, acknowledged))
                .as("seed %d, acknowledged %d, files %s", SEED, acknowledged, image.paths())
                .isNull();
    }

    @Test
    void tornLastSectorsAreNoticed() throws IOException {
        tearSectors(7);
    }

    @Tag("slow")
    @Test
    void everyTornLastSectorIsNoticed() throws IOException {
        tearSectors(1);
    }

    /** Every so manieth, torn in turn in each way. */
    private static void tearSectors(int step) throws IOException {
        History history = history();
        Random random = new Random(SEED);
        FakeDisk disk = new FakeDisk();
        long acknowledged = 0;
        FakeDisk.Written before = null;
        int images = 0;
        for (FakeDisk.Deed deed : history.disk.deeds()) {
            if (deed instanceof FakeDisk.Written write) {
                for (int end = 512; end <= write.bytes().length; end += 512) {
                    for (int kind = 0; kind < 3; kind++) {
                        if (images++ % step > 0) {
                            continue;
                        }
                        byte[] torn = Arrays.copyOf(write.bytes(), end);
                        tear(torn, kind, before, random);
                        FakeDisk.Deed tear = new FakeDisk.Written(write.path(), write.at(), torn);
                        check(history, disk.copy().then(tear, end), acknowledged);
                    }
                }
                before = write;
            } else if (deed instanceof FakeDisk.Acknowledged told) {
                acknowledged = told.position();
            }
            disk.then(deed, bytesOf(deed));
        }
    }

    private static void tear(
            byte[] bytes, int kind, FakeDisk.@Nullable Written before, Random random) {
        int from = bytes.length - 512;
        byte[] sector = new byte[512];
        if (kind == 1) {
            random.nextBytes(sector);
        } else if (kind == 2 && before != null) {
            int at = from % before.bytes().length;
            sector = Arrays.copyOfRange(before.bytes(), at, at + 512);
        }
        System.arraycopy(sector, 0, bytes, from, 512);
    }

    @Test
    void lossOfPowerCostsNothingThatWasForced() throws IOException {
        History history = history();

        assertThat(powerLossFaults(history, 250)).as("seed %d", SEED).isEmpty();
    }

    @Tag("slow")
    @Test
    void lossOfPowerInManyPlacesCostsNothingThatWasForced() throws IOException {
        assertThat(powerLossFaults(history(), 5_000)).as("seed %d", SEED).isEmpty();
    }

    @Test
    void lossOfPowerIsNoticedWhenForcesLie() throws IOException {
        History history = History.write(SEED, CHANGES, 60, 120, CONFIG, true);

        assertThat(powerLossFaults(history, 100)).as("seed %d", SEED).isNotEmpty();
    }

    private static List<String> powerLossFaults(History history, int images) throws IOException {
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        Random random = new Random(SEED);
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < images; i++) {
            List<FakeDisk.Deed> some = deeds.subList(0, 1 + random.nextInt(deeds.size()));
            FakeDisk image = FakeDisk.afterPowerLoss(some, random);
            String fault = history.fault(image, FakeDisk.acknowledged(some));
            if (fault != null) {
                faults.add("image " + i + ": " + fault);
            }
        }
        return faults;
    }

    @Test
    void aSecondCrashWhileOpeningChangesNothing() throws IOException {
        crashTwice(80);
    }

    @Tag("slow")
    @Test
    void aSecondCrashWhileOpeningInManyPlacesChangesNothing() throws IOException {
        crashTwice(1_000);
    }

    private static void crashTwice(int images) throws IOException {
        History history = history();
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        Random random = new Random(SEED);
        for (int i = 0; i < images; i++) {
            List<FakeDisk.Deed> some = deeds.subList(0, 1 + random.nextInt(deeds.size()));
            FakeDisk image = FakeDisk.afterPowerLoss(some, random);
            long acknowledged = FakeDisk.acknowledged(some);
            assertThat(history.fault(image, acknowledged)).isNull();

            assertThat(history.fault(image, acknowledged))
                    .as("seed %d, image %d, opened again", SEED, i)
                    .isNull();
        }
    }

    /** What makes files needless that an opening deletes was written, and perhaps not forced. */
    @Test
    void aLossOfPowerWhileOpeningBehindAKillChangesNothing() throws IOException {
        History history = History.write(SEED, CHANGES, 60, 1500, CONFIG, false);
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        Random random = new Random(SEED);
        int images = 0;
        for (int i = 3; i < deeds.size(); i++) {
            List<FakeDisk.Deed> some = deeds.subList(0, i);
            FakeDisk killed = FakeDisk.after(some);
            long acknowledged = FakeDisk.acknowledged(some);
            if (killed.paths().isEmpty()) {
                continue;
            }
            assertThat(history.fault(killed, acknowledged)).isNull();
            List<FakeDisk.Deed> opening = killed.deeds();
            if (opening.stream().noneMatch(FakeDisk.Deleted.class::isInstance)) {
                continue;
            }
            List<FakeDisk.Deed> both = new ArrayList<>(some);
            both.addAll(opening.subList(0, 1 + random.nextInt(opening.size())));
            FakeDisk image = FakeDisk.afterPowerLoss(both, random);
            images++;
            assertThat(history.fault(image, acknowledged))
                    .as("seed %d, killed behind deed %d", SEED, i)
                    .isNull();
        }
        assertThat(images).isPositive();
    }

    // ---- spoilt bits

    /** What an opened log says of a spoilt disk. */
    private enum Verdict {
        RIGHT,
        CUT,
        DAMAGE_TOLD,
        WRONG
    }

    private static Verdict judge(History history, FakeDisk image) throws IOException {
        long bytes = image.totalBytes();
        LogState state = History.open(image);
        if (state == null) {
            return Verdict.DAMAGE_TOLD;
        }
        try {
            Content content = History.content(state, image);
            if (!content.damages.isEmpty() || !content.lost.isEmpty()) {
                return Verdict.DAMAGE_TOLD;
            }
            if (!content.values.equals(history.states.get((int) state.end()))) {
                return Verdict.WRONG;
            }
            // What is cut off may be a block without entries.
            return image.totalBytes() < bytes ? Verdict.CUT : Verdict.RIGHT;
        } finally {
            state.versions.close();
        }
    }

    /** In a block; a mark stands twice in its page. */
    private static void flip(FakeDisk image, Random random) {
        List<String> paths = image.paths();
        String path = paths.get(random.nextInt(paths.size()));
        int at = random.nextInt(MarkLayout.PAGE_BYTES, image.size(path));
        image.content(path)[at] ^= (byte) (1 << random.nextInt(8));
    }

    @Test
    void flippedBitsAreNoticed() throws IOException {
        flipBits(200);
    }

    @Tag("slow")
    @Test
    void everyOneOfManyFlippedBitsIsNoticed() throws IOException {
        flipBits(5_000);
    }

    private static void flipBits(int images) throws IOException {
        History history = longHistory();
        Random random = new Random(SEED);
        int told = 0;
        for (int i = 0; i < images; i++) {
            FakeDisk image = history.disk.copy();
            flip(image, random);
            Verdict verdict = judge(history, image);

            assertThat(verdict)
                    .as("seed %d, flip %d", SEED, i)
                    .isIn(Verdict.CUT, Verdict.DAMAGE_TOLD);
            told += verdict == Verdict.DAMAGE_TOLD ? 1 : 0;
        }
        assertThat(told).isGreaterThan(images / 2);
    }

    @Test
    void flippedBitsAreMissedByALogWithoutChecksums() throws IOException {
        History history = longHistory();
        Random random = new Random(SEED);
        int wrong = 0;
        for (int i = 0; i < 200; i++) {
            FakeDisk image = history.disk.copy();
            flip(image, random);
            Spoiler.recomputeChecksums(image);
            wrong += judge(history, image) == Verdict.WRONG ? 1 : 0;
        }

        assertThat(wrong).as("seed %d", SEED).isGreaterThan(10);
    }

    @Test
    void reappearingChunksAreNoticedWhenRemovalsAreForgotten() throws IOException {
        History history = longHistory();
        FakeDisk image = history.disk.copy();

        Spoiler.forgetRemovals(image);

        assertThat(judge(history, image)).isEqualTo(Verdict.WRONG);
    }

    /**
     * The newest file may be one into which a cleaning that goes on has copied what others have.
     */
    @Test
    void aMissingFileIsNoticed() throws IOException {
        History history = longHistory();
        List<String> paths = history.disk.paths();
        for (String path : paths) {
            FakeDisk image = history.disk.copy().then(new FakeDisk.Deleted(path), 0);

            Verdict verdict = judge(history, image);
            boolean mayBeCopies = path.equals(paths.getLast());
            assertThat(verdict)
                    .as("without %s of %s", path, paths)
                    .isIn(Verdict.DAMAGE_TOLD, mayBeCopies ? Verdict.RIGHT : Verdict.DAMAGE_TOLD);
        }
    }
}
