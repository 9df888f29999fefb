package org.starling.compute.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;
import org.starling.net.NetException;

/**
 * The folder of a cluster on this machine: {@code cluster.json} says what it is, {@code data/NAME},
 * {@code logs/NAME.log} and {@code run/NAME.pid} belong to the process of that name; all is its
 * owner's alone; {@code secret} is what its nodes know each other by. Stateless but for its path;
 * any thread, and any process.
 */
final class ClusterFolder {
    private static final String PLAN = "cluster.json";

    private final Path folder;

    ClusterFolder(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /** The folder of the cluster whose process has this data directory. */
    static ClusterFolder ofData(Path data) {
        return new ClusterFolder(data.resolve("..").resolve(".."));
    }

    Path path() {
        return folder;
    }

    Path data(String name) {
        return folder.resolve("data").resolve(name);
    }

    Path log(String name) {
        return folder.resolve("logs").resolve(name + ".log");
    }

    /**
     * The secret of the cluster, made when it is asked for first.
     *
     * @throws InvalidInputException if it can't be used
     */
    ClusterSecret secret() {
        try {
            return ClusterSecret.in(folder.resolve("secret"));
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** The keys that are made for the cluster. */
    ClusterKeys keys() {
        return new ClusterKeys(folder.resolve("keys"));
    }

    /**
     * Makes the folders.
     *
     * @throws InvalidInputException if that can't be
     */
    void make() {
        try {
            for (String part : new String[] {"data", "logs", "run"}) {
                Path made = Files.createDirectories(folder.resolve(part));
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
            }
        } catch (FileAlreadyExistsException file) {
            throw new InvalidInputException(
                    "%s can't hold a cluster: %s is a file".formatted(folder, file.getFile()),
                    file);
        } catch (IOException refused) {
            throw new InvalidInputException(
                    "%s can't hold a cluster: %s; choose another folder"
                            .formatted(folder, FileTrouble.reason(refused)),
                    refused);
        }
        if (!Files.isWritable(folder.resolve("data"))) {
            throw new InvalidInputException(
                    "%s can't hold a cluster: it can't be written".formatted(folder));
        }
    }

    /**
     * Keeps other starts away until it is closed.
     *
     * @throws ClusterException if another start is under way
     */
    FileChannel lock() {
        try {
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve("run").resolve("start.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() != null) {
                    return channel;
                }
            } catch (OverlappingFileLockException here) {
                channel.close();
                throw busy(here);
            }
            channel.close();
            throw busy(null);
        } catch (IOException refused) {
            throw new InvalidInputException(
                    folder + " can't be locked: " + FileTrouble.reason(refused), refused);
        }
    }

    /** The plan of the cluster that lives or has lived here. */
    Optional<Map<?, ?>> plan() {
        Path file = folder.resolve(PLAN);
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            if (JsonText.parse(Files.readString(file)) instanceof Map<?, ?> plan) {
                return Optional.of(plan);
            }
            throw new InvalidInputException(file + " is not the plan of a cluster");
        } catch (IOException broken) {
            throw new InvalidInputException(
                    file + " can't be read: " + FileTrouble.reason(broken), broken);
        }
    }

    void writePlan(Map<String, @Nullable Object> plan) {
        write(folder.resolve(PLAN), JsonText.writeIndented(plan) + "\n");
    }

    /** Notes which process has a name; its start tells it from a later process of the same id. */
    void writePid(String name, ProcessHandle process) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("pid", process.pid());
        tree.put("started", started(process));
        write(pidFile(name), JsonText.write(tree) + "\n");
    }

    void removePid(String name) {
        try {
            Files.deleteIfExists(pidFile(name));
        } catch (IOException broken) {
            throw new InvalidInputException(
                    pidFile(name) + " can't be removed: " + FileTrouble.reason(broken), broken);
        }
    }

    /** The running process of that name, if it runs. */
    Optional<ProcessHandle> process(String name) {
        try {
            if (!Files.exists(pidFile(name))
                    || !(JsonText.parse(Files.readString(pidFile(name))) instanceof Map<?, ?> tree)
                    || !(tree.get("pid") instanceof Long pid)) {
                return Optional.empty();
            }
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> started(process).equals(tree.get("started")));
        } catch (IOException | InvalidInputException broken) {
            throw new InvalidInputException(
                    pidFile(name) + " is not what was written: " + broken.getMessage(), broken);
        }
    }

    private Path pidFile(String name) {
        return folder.resolve("run").resolve(name + ".pid");
    }

    private static String started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("");
    }

    private ClusterException busy(@Nullable Throwable cause) {
        String sentence = "another start of the cluster in " + folder + " is under way";
        return cause == null
                ? new ClusterException(sentence)
                : new ClusterException(sentence, cause);
    }

    /** A file is there whole or not at all. */
    private static void write(Path file, String text) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            Files.createFile(
                    part,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(part, text);
            Files.move(
                    part,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException broken) {
            throw new InvalidInputException(
                    file + " can't be written: " + FileTrouble.reason(broken), broken);
        }
    }
}
