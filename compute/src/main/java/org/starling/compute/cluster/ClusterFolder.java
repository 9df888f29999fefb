package org.starling.compute.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;
import org.starling.net.NetException;

/**
 * The folder of a cluster on this machine: {@code cluster.json} says what it is, {@code data/NAME},
 * {@code logs/NAME.log}, {@code run/NAME.pid} and {@code run/NAME.node} belong to the process of
 * that name; all is its owner's alone; {@code secret} is what its nodes know each other by, {@code
 * token} what people show to its API endpoints. Stateless but for its path; any thread, and any
 * process.
 */
final class ClusterFolder {
    private static final Logger LOG = LogManager.getLogger(ClusterFolder.class);

    /** For {@link #lock}. */
    static final String ALL = "cluster";

    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

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

    /** Tells a process that it does not end alone, see {@link NodeProcess#STOPPING_FILE}. */
    void writeStopping(String name) {
        Path data = data(name);
        try {
            if (Files.isDirectory(data)) {
                Files.write(data.resolve(NodeProcess.STOPPING_FILE), new byte[0]);
            }
        } catch (IOException full) {
            LOG.warn("{} may hand over what it has first: {}", name, full.getMessage());
        }
    }

    /** The data directory of a process. */
    Path data(String name) {
        return folder.resolve("data").resolve(name);
    }

    Path log(String name) {
        return folder.resolve("logs").resolve(name + ".log");
    }

    /** Where a process of that name has written what it knew when its JVM crashed, if it did. */
    Optional<Path> crashReport(String name, long pid) {
        return Optional.of(NodeChild.crashReport(log(name), Long.toString(pid)))
                .filter(Files::exists);
    }

    /** What the supervisor has done. */
    RestartNotes restarts() {
        return new RestartNotes(folder.resolve("run").resolve("restarts.json"));
    }

    /**
     * The secret of the cluster, made when it is asked for first.
     *
     * @throws InvalidInputException if it can't be used
     */
    ClusterSecret secret() {
        try {
            ClusterSecret secret = ClusterSecret.in(folder.resolve("secret"));
            requireOwnedFile(folder.resolve("secret"));
            return secret;
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** The file of the token, which {@link #makeToken} makes. */
    Path tokenFile() {
        return folder.resolve("token");
    }

    /**
     * Makes a token if there is none.
     *
     * @throws InvalidInputException if the one that there is can't be used
     */
    void makeToken() {
        if (!Files.exists(tokenFile(), LinkOption.NOFOLLOW_LINKS)) {
            write(tokenFile(), AccessToken.fresh().text() + "\n");
        }
        requireOwnedFile(tokenFile());
        AccessToken _ = AccessToken.read(tokenFile());
    }

    /** The keys that are made for the cluster. */
    ClusterKeys keys() {
        return new ClusterKeys(folder.resolve("keys"));
    }

    /**
     * Makes the folders, and takes from others what they may do in them.
     *
     * @throws InvalidInputException if that can't be, or one of them is somebody else's
     */
    void make() {
        make(List.of("data", "logs", "run"));
        if (!Files.isWritable(folder.resolve("data"))) {
            throw new InvalidInputException(
                    "%s can't hold a cluster: it can't be written".formatted(folder));
        }
    }

    /** The same for a folder with some of it. */
    void make(List<String> parts) {
        try {
            Files.createDirectories(folder);
            requireOwned(folder);
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
            if (rights.removeAll(OTHERS_WRITE)) {
                Files.setPosixFilePermissions(folder, rights);
            }
            for (String part : parts) {
                makePrivate(folder.resolve(part));
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
    }

    /**
     * Makes a folder, if it is not there, that is its owner's alone.
     *
     * @throws IOException if that can't be, or it is somebody else's
     */
    static void makePrivate(Path folder) throws IOException {
        Files.createDirectories(folder);
        requireOwned(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }

    /** What somebody else has put into the folder before others lost the right to do that. */
    private void requireOwnedFile(Path file) {
        try {
            requireOwned(file);
        } catch (IOException refused) {
            throw FileTrouble.refusal(file, "used", refused);
        }
    }

    /** Whoever owns a folder can put another secret into it, or links in the place of files. */
    private static void requireOwned(Path part) throws IOException {
        Path self = Path.of("/proc/self");
        if (!Files.exists(self)) {
            return; // another system than Linux
        }
        UserPrincipal owner = Files.getOwner(part, LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(Files.getOwner(self))) {
            throw new InvalidInputException(
                    "a cluster can't be held there: %s belongs to %s, not to %s who starts it; choose another folder"
                            .formatted(part, owner, Files.getOwner(self)));
        }
    }

    /**
     * Keeps other starts and stops away until it is closed.
     *
     * @param name of the process that is started or stopped, or {@value #ALL}
     * @throws ClusterException if another start or stop of it is under way
     */
    FileChannel lock(String name) {
        return tryLock(name)
                .orElseThrow(() ->
                        new ClusterException(
                                "another start or stop of %s in %s is under way"
                                        .formatted(
                                                name.equals(ALL) ? "the cluster" : name, folder)));
    }

    /** The same; nothing if another start or stop of it is under way. */
    Optional<FileChannel> tryLock(String name) {
        try {
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve("run").resolve(name + ".lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                return Optional.of(channel);
            }
            channel.close();
            return Optional.empty();
        } catch (IOException refused) {
            throw FileTrouble.refusal(folder, "locked", refused);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldInThisProcess) {
            return false;
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
        } catch (InvalidJsonException broken) {
            throw new InvalidInputException(
                    file + " is not the plan of a cluster: " + broken.getMessage(), broken);
        } catch (IOException broken) {
            throw FileTrouble.refusal(file, "read", broken);
        }
    }

    /** Whether the folder still is that of a cluster. */
    boolean isThere() {
        return Files.exists(folder.resolve(PLAN));
    }

    /** Whether it has been made; processes run in no other. */
    boolean isUsed() {
        return Files.isDirectory(folder.resolve("run"));
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
            throw FileTrouble.refusal(pidFile(name), "removed", broken);
        }
    }

    /** Notes which node a process is; told by the process, each time that it joins. */
    void writeNode(String name, int node) {
        write(nodeFile(name), node + "\n");
    }

    /** The node that a process is, or was last; nothing if it has never been one. */
    OptionalInt node(String name) {
        try {
            return OptionalInt.of(Integer.parseInt(Files.readString(nodeFile(name)).trim()));
        } catch (NoSuchFileException never) {
            return OptionalInt.empty();
        } catch (IOException broken) {
            throw FileTrouble.refusal(nodeFile(name), "read", broken);
        } catch (NumberFormatException other) {
            throw new InvalidInputException(
                    "%s is not what was written (%s); remove it"
                            .formatted(nodeFile(name), other.getMessage()),
                    other);
        }
    }

    private Path nodeFile(String name) {
        return folder.resolve("run").resolve(name + ".node");
    }

    /** The running process of that name, if it runs. */
    Optional<ProcessHandle> process(String name) {
        Map<?, ?> noted = noted(name);
        return noted.get("pid") instanceof Long pid
                ? ProcessHandle.of(pid)
                        .filter(ClusterFolder::isAlive)
                        .filter(process -> started(process).equals(noted.get("started")))
                : Optional.empty();
    }

    /** Process id of the process of that name if it has ended though nobody stopped it. */
    OptionalLong died(String name) {
        return noted(name).get("pid") instanceof Long pid && process(name).isEmpty()
                ? OptionalLong.of(pid)
                : OptionalLong.empty();
    }

    /**
     * The same, unless somebody is starting or stopping it: what is being stopped has ended before
     * its file goes.
     */
    OptionalLong diedOfItself(String name) {
        if (died(name).isEmpty()) {
            return OptionalLong.empty(); // nobody is kept from starting or stopping it
        }
        Optional<FileChannel> lock = tryLock(name);
        if (lock.isEmpty()) {
            return OptionalLong.empty();
        }
        try (FileChannel _ = lock.get()) {
            return died(name);
        } catch (IOException broken) {
            throw FileTrouble.refusal(folder, "unlocked", broken);
        }
    }

    /**
     * Whether a process runs. One that has ended, and that nobody has asked for its end yet, does
     * not: in a container there may be nobody who asks. This process asks for its own children.
     */
    static boolean isAlive(ProcessHandle process) {
        return process.isAlive()
                && !(isUnburied(process.pid())
                        && process.parent().filter(ProcessHandle.current()::equals).isEmpty());
    }

    /** Whether all threads of a process have ended, and with them its files and ports. */
    private static boolean isUnburied(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            String stat = Files.readString(process.resolve("stat"));
            return stat.startsWith(") Z", stat.lastIndexOf(')')) && threads.count() <= 1;
        } catch (IOException otherSystemOrGone) {
            return false;
        }
    }

    private Map<?, ?> noted(String name) {
        try {
            return JsonText.parse(Files.readString(pidFile(name))) instanceof Map<?, ?> tree
                    ? tree
                    : Map.of();
        } catch (NoSuchFileException stopped) {
            return Map.of();
        } catch (IOException broken) {
            throw FileTrouble.refusal(pidFile(name), "read", broken);
        } catch (InvalidJsonException other) {
            throw new InvalidInputException(
                    "%s is not what was written (%s); remove it if that process does not run"
                            .formatted(pidFile(name), other.getMessage()),
                    other);
        }
    }

    private Path pidFile(String name) {
        return folder.resolve("run").resolve(name + ".pid");
    }

    private static String started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("");
    }

    /** A file is there whole or not at all, and on the disk when this returns. */
    static void write(Path file, String text) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            Files.createFile(
                    part,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(part, text);
            force(part);
            Files.move(
                    part,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
            force(part.resolveSibling("."));
        } catch (IOException broken) {
            throw FileTrouble.refusal(file, "written", broken);
        }
    }

    private static void force(Path fileOrFolder) throws IOException {
        try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
