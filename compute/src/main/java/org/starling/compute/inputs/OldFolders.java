package org.starling.compute.inputs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Folders that processes have made for themselves, and those that killed ones have left. */
public final class OldFolders {
    private static final Logger LOG = LogManager.getLogger(OldFolders.class);

    private OldFolders() {}

    /**
     * Removes those folders inside another one that nothing has changed in for so long. Links are
     * not followed; what can't be removed is logged and stays.
     */
    public static void remove(Path parent, Duration life) {
        Instant oldest = InstantSource.system().instant().minus(life);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
            for (Path folder : folders) {
                removeOne(folder, oldest);
            }
        } catch (IOException unreadable) {
            LOG.info("{} can't be looked at: {}", parent, unreadable.getMessage());
        }
    }

    /**
     * Removes a folder with all that is in it. Links are not followed; what can't be removed is
     * logged and stays.
     */
    public static void removeWhole(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            removeAll(all.toList());
        } catch (NoSuchFileException gone) {
            LOG.debug("{} is gone already", folder);
        } catch (IOException | UncheckedIOException left) {
            LOG.warn("{} is left behind: {}", folder, left.getMessage());
        }
    }

    /** Of what lies in a folder, each behind the folder that it is in, the last goes first. */
    private static void removeAll(List<Path> inside) throws IOException {
        for (Path path : inside.reversed()) {
            Files.deleteIfExists(path);
        }
    }

    private static void removeOne(Path folder, Instant oldest) {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> inside = all.toList();
            if (inside.stream().anyMatch(path -> isNewer(path, oldest))) {
                return;
            }
            LOG.info("{} was left behind long ago and is removed", folder);
            removeAll(inside);
        } catch (IOException | UncheckedIOException left) {
            LOG.info("{} is left behind: {}", folder, left.getMessage());
        }
    }

    private static boolean isNewer(Path path, Instant moment) {
        try {
            return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .isAfter(moment);
        } catch (IOException gone) { // somebody is at work there
            throw new UncheckedIOException(gone);
        }
    }
}
