package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;

/**
 * Logs whose end somebody cut off, zeroed or deleted: what was acknowledged is missing, but never
 * in silence. Seeds can be given with -Dstarling.seed=….
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class MissingTailsTest {
    private static final long SEED = Long.getLong("starling.seed", 20_261_124L);
    private static final int CHANGES = 500;
    private static final int SOME = 600;
    private static final int MANY = 10_000;
    private static final LogConfig CONFIG =
            new LogConfig(
                    64 << 10,
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

    /** What an opened log tells of itself. */
    private record Told(long end, boolean isDamaged, long safeEnd, long claimedEnd) {}

    /** Null when it says that it cannot be read at all. */
    private static @Nullable Told open(FakeDisk image) throws IOException {
        LogState state = History.open(image);
        if (state == null) {
            return null;
        }
        try {
            return new Told(
                    state.end(), !state.damages().isEmpty(), state.safeEnd(), state.claimedEnd());
        } finally {
            state.versions.close();
        }
    }

    private static History history() throws IOException {
        History history = History.write(SEED, CHANGES, 200, 2000, CONFIG, false);
        assertThat(history.disk.paths()).hasSizeGreaterThan(2);
        return history;
    }

    @Test
    void everyCutOfTheLastFileOfAClosedLogIsDamage() throws IOException {
        History history = history();
        String last = history.disk.paths().getLast();
        long end = history.states.size() - 1L;
        int size = history.disk.size(last);

        for (int bytes = 0; bytes < size; bytes += FakeDisk.SECTOR_BYTES) {
            FakeDisk image = history.disk.copy().then(new FakeDisk.Cut(last, bytes), 0);
            Told told = open(image);

            assertThat(told).isNotNull();
            assertThat(told.isDamaged() || told.end() == end)
                    .as("seed %d, cut to %d of %d: %s", SEED, bytes, size, told)
                    .isTrue();
            if (bytes > 0) { // else the mark is gone as well, and one of another file tells
                assertThat(told.safeEnd()).isEqualTo(end);
            }
        }
    }

    /** To nothing, into its mark, and to that alone. */
    @ParameterizedTest
    @ValueSource(ints = {0, 512, MarkLayout.PAGE_BYTES})
    void theFirstFileThatIsCutIsDamage(int bytes) throws IOException {
        History history = history();
        FakeDisk image =
                history.disk
                        .copy()
                        .then(new FakeDisk.Cut(history.disk.paths().getFirst(), bytes), 0);

        Told told = open(image);

        assertThat(told).isNotNull();
        assertThat(told.isDamaged()).as("%s", told).isTrue();
    }

    /** The first block of the next file is torn, so that no other is known. */
    @ParameterizedTest
    @ValueSource(ints = {0, 512, MarkLayout.PAGE_BYTES})
    void theFirstFileThatIsCutIsDamageThoughACrashHasTornTheNext(int bytes) throws IOException {
        List<FakeDisk.Deed> deeds = history().disk.deeds();
        int torn = 0;
        while (!(deeds.get(torn) instanceof FakeDisk.Written each
                && each.path().endsWith(Segment.nameOf(2))
                && each.at() > 0)) {
            torn++;
        }
        FakeDisk.Written block = (FakeDisk.Written) deeds.get(torn);
        FakeDisk image = FakeDisk.after(deeds.subList(0, torn)).then(block, 512);
        int size = Math.toIntExact(block.at()) + block.bytes().length;
        image.then(new FakeDisk.Cut(block.path(), size), 0); // all of its length is there
        image.then(new FakeDisk.Cut(image.paths().getFirst(), bytes), 0);

        Told told = open(image);

        assertThat(told).isNotNull();
        assertThat(told.isDamaged()).as("%s", told).isTrue();
    }

    /** It keeps what its mark claims until the log goes on, and is no head of it later. */
    @Test
    void aLastFileThatACrashHasLeftEmptyIsNoDamageWhenThoseBeforeItAreCleaned() throws Exception {
        FakeDisk image = withAnEmptyLastFile();
        int empty = Segment.numberOf(image.paths().getLast().replaceFirst(".*/", ""));
        Random random = new Random(SEED);
        try (BackupLogs logs = BackupLogs.open(image, CONFIG);
                Records records = new Records(1 << 20)) {
            ZoneLog log = History.reopened(logs);
            log.fence(log.epoch() + 1);
            int head = 1;
            for (int n = 0; n < MANY && head <= empty; n++) {
                records.put(random.nextInt(60), new byte[random.nextInt(600)]);
                records.appendTo(log, log.epoch(), log.end() + 1);
                log.force(log.end()).join();
                FakeDisk killed = image.copy();
                head = Segment.numberOf(killed.paths().getFirst().replaceFirst(".*/", ""));
                Told told = head < empty - 1 ? null : open(killed);
                assertThat(told == null || !told.isDamaged()).as("%s", told).isTrue();
            }
            assertThat(head).isGreaterThan(empty);
        }
    }

    /** Power went when the mark of a new file was written, and nothing behind it. */
    private static FakeDisk withAnEmptyLastFile() throws IOException {
        List<FakeDisk.Deed> deeds = history().disk.deeds();
        for (int i = 2; i < deeds.size(); i++) {
            if (!(deeds.get(i) instanceof FakeDisk.Written mark) || mark.at() != 0) {
                continue;
            }
            FakeDisk image = new FakeDisk();
            for (FakeDisk.Deed deed : deeds.subList(0, i + 1)) {
                boolean isBlockOfIt =
                        deed instanceof FakeDisk.Written block
                                && block.path().equals(mark.path())
                                && block.at() > 0;
                if (!isBlockOfIt) {
                    image.then(deed, deed instanceof FakeDisk.Written all ? all.bytes().length : 0);
                }
            }
            Told told = open(image.copy());
            if (told != null && !told.isDamaged() && told.claimedEnd() > told.end()) {
                return image;
            }
        }
        throw new AssertionError("no such moment");
    }

    @Test
    void lastFilesThatAreDeletedAreTold() throws IOException {
        History history = history();
        List<String> paths = history.disk.paths();
        long end = history.states.size() - 1L;

        for (int kept = paths.size() - 1; kept > 0; kept--) {
            FakeDisk image = history.disk.copy();
            paths.subList(kept, paths.size())
                    .forEach(path -> image.then(new FakeDisk.Deleted(path), 0));
            Told told = open(image);

            assertThat(told).isNotNull();
            // Files that one force made safe together only claim that there are the next ones. The
            // last may hold no change, but only the note that all is safe.
            assertThat(told.isDamaged() || told.claimedEnd() > told.end() || told.end() == end)
                    .as("seed %d, %d files kept: %s", SEED, kept, told)
                    .isTrue();
        }
    }

    /** The file before is not full, and nobody has written it since it was opened again. */
    @Test
    void theFileOfALaterRunThatIsDeletedIsTold() throws IOException {
        History history = History.write(SEED, 5, 200, 200, CONFIG, false);
        for (int changes = 10; changes < 40; changes += 5) {
            String before = history.disk.paths().getLast();
            history.goOn(changes, CONFIG);
            assertThat(history.disk.paths().getLast()).isGreaterThan(before);
            FakeDisk image =
                    history.disk
                            .copy()
                            .then(new FakeDisk.Deleted(history.disk.paths().getLast()), 0);

            Told told = open(image);

            assertThat(told).isNotNull();
            assertThat(told.isDamaged() || told.claimedEnd() > told.end())
                    .as("after %d changes: %s", changes, told)
                    .isTrue();
        }
    }

    /** Who recovers the zone fences the log first, and may stop before it has told of the claim. */
    @Test
    void whatIsClaimedIsStillClaimedBehindAFence() throws IOException {
        History history = history();
        Random random = new Random(SEED);
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        int claims = 0;
        for (int i = 0; i < SOME; i++) {
            List<FakeDisk.Deed> some = deeds.subList(0, 1 + random.nextInt(deeds.size()));
            FakeDisk image = FakeDisk.after(some);
            if (image.paths().isEmpty()) {
                continue;
            }
            shorten(image, random);
            Told told = open(image.copy());
            if (told == null || told.isDamaged() || told.claimedEnd() <= told.end()) {
                continue;
            }
            claims++;
            try (BackupLogs logs = BackupLogs.open(image, CONFIG)) {
                ZoneLog log = History.reopened(logs);
                log.fence(log.epoch() + 1);
            }

            Told again = open(image);

            assertThat(again).isNotNull();
            assertThat(again.claimedEnd()).isEqualTo(told.claimedEnd());
        }
        assertThat(claims).isPositive();
    }

    /** Of a log in use, at any moment, with or without the loss of power. */
    @Test
    void nothingAcknowledgedIsGoneInSilenceWhateverEndIsCutOff() throws IOException {
        cutEnds(SOME);
    }

    @Tag("slow")
    @Test
    void nothingAcknowledgedIsGoneInSilenceWhicheverOfManyEndsIsCutOff() throws IOException {
        cutEnds(MANY);
    }

    private static void cutEnds(int images) throws IOException {
        int[] damaged = {0};
        int[] claimed = {0};

        String silent = search(history(), images, image -> {}, damaged, claimed);

        assertThat(silent).as("seed %d", SEED).isNull();
        assertThat(damaged[0]).isGreaterThan(images / 3);
        assertThat(claimed[0]).isGreaterThan(images / 300);
    }

    /** The same with logs that have no marks. */
    @Test
    void silenceIsNoticedInLogsWithoutMarks() throws IOException {
        assertThat(search(history(), SOME, Spoiler::forgetMarks, new int[1], new int[1]))
                .isNotNull();
    }

    private interface Spoiling {
        void spoil(FakeDisk image);
    }

    private static @Nullable String search(
            History history, int images, Spoiling spoiling, int[] damaged, int[] claimed)
            throws IOException {
        Random random = new Random(SEED);
        List<FakeDisk.Deed> deeds = history.disk.deeds();
        for (int i = 0; i < images; i++) {
            List<FakeDisk.Deed> some = deeds.subList(0, 1 + random.nextInt(deeds.size()));
            FakeDisk image =
                    random.nextBoolean()
                            ? FakeDisk.after(some)
                            : FakeDisk.afterPowerLoss(some, random);
            long acknowledged = FakeDisk.acknowledged(some);
            if (image.paths().isEmpty()) {
                continue;
            }
            spoiling.spoil(image);
            shorten(image, random);
            Told told = open(image);
            if (told == null || told.end() >= acknowledged) {
                continue;
            }
            if (!told.isDamaged() && told.claimedEnd() <= told.end()) {
                return "image " + i + ", acknowledged " + acknowledged + ": " + told;
            }
            damaged[0] += told.isDamaged() ? 1 : 0;
            claimed[0] += told.isDamaged() ? 0 : 1;
        }
        return null;
    }

    /** Takes a part of the last file away, but not its first page, or some of the last files. */
    private static void shorten(FakeDisk image, Random random) {
        List<String> paths = image.paths();
        int last = paths.size() - 1;
        switch (random.nextInt(3)) {
            case 0 -> {
                for (int i = 1 + random.nextInt(paths.size()); i <= last; i++) {
                    image.then(new FakeDisk.Deleted(paths.get(i)), 0);
                }
            }
            case 1 -> cut(image, paths.get(last), random.nextDouble());
            default -> paths.forEach(path -> cut(image, path, 0.5));
        }
    }

    private static void cut(FakeDisk image, String path, double part) {
        int size = image.size(path);
        if (size > 2 * MarkLayout.PAGE_BYTES) {
            int bytes = Math.max(MarkLayout.PAGE_BYTES, (int) (part * size));
            image.then(new FakeDisk.Cut(path, bytes), 0);
        }
    }
}
