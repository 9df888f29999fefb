package org.starling.compute.script;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.InputSpool;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.objects.ObjectName;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * The files that a script may touch: those under its roots, after symbolic links are resolved.
 * Names are relative to the script's folder. Immutable.
 */
public final class ScriptFiles {
    /** Where results go of a script that is only looked at. */
    public static final Path NOWHERE = Path.of("/results of a script that does not run");

    /** Names of parts of tables. */
    private static final Pattern PART = Pattern.compile("part-\\d{5,10}\\.[a-z0-9.]{1,20}");

    private final Path folder;
    private final List<Path> roots;

    /** Where files to write go, whatever the script's folder is; null if they go where they say. */
    private final @Nullable Path results;

    /** The option that would allow one more folder, with its command; empty if there is none. */
    private final String remedy;

    /** By names where the script comes from: files that were sent along. */
    private final SortedMap<Path, Path> sent;

    /** What may be read that is no file. */
    private final OtherInputs others;

    /**
     * Files of a script.
     *
     * @param folder folder that relative names start from
     * @param roots folders that files must lie under
     * @throws InvalidInputException if one of the folders does not exist
     */
    public ScriptFiles(Path folder, List<Path> roots) {
        this(real(folder), real(roots), "", null, OtherInputs.NONE);
    }

    private ScriptFiles(
            Path folder,
            List<Path> roots,
            String remedy,
            @Nullable Path results,
            OtherInputs others) {
        this(folder, roots, remedy, results, new TreeMap<>(), others);
    }

    private ScriptFiles(
            Path folder,
            List<Path> roots,
            String remedy,
            @Nullable Path results,
            SortedMap<Path, Path> sent,
            OtherInputs others) {
        this.sent = sent;
        this.others = others;
        this.results = results;
        this.remedy = remedy;
        this.folder = folder;
        this.roots = roots;
    }

    /**
     * Files of a script in an embedded run: the roots are the script's folder, the working
     * directory, and folders that whoever runs it has allowed.
     */
    public static ScriptFiles embedded(Path folder, Path workingDirectory, List<Path> allowed) {
        List<Path> roots = new ArrayList<>(List.of(workingDirectory, folder));
        roots.addAll(allowed);
        return new ScriptFiles(real(folder), real(roots), "run --allow", null, OtherInputs.NONE);
    }

    /**
     * Files of a script on a cluster: the roots are the cluster's. A root that is gone by now
     * allows nothing. The script's own folder may lie elsewhere, as on the machine of whoever
     * submits it; what it names in there is refused then.
     *
     * @param folder folder that relative names start from, as whoever submits the script says
     * @param roots folders that the cluster's configuration allows
     * @throws InvalidInputException if the folder lies under the roots and does not exist
     */
    public static ScriptFiles ofCluster(Path folder, List<Path> roots) {
        List<Path> allowed = present(roots);
        Path named = folder.normalize();
        boolean isElsewhere = isOutside(named, roots) && isOutside(named, allowed);
        return new ScriptFiles(
                isElsewhere ? named : real(folder),
                allowed,
                "cluster start --allow",
                null,
                OtherInputs.NONE);
    }

    /**
     * Files of a script on a cluster whose results go to whoever has submitted it: what it writes
     * lies in a folder of its own, under relative names. Its own folder need not be there, then.
     *
     * @param results the folder for what it writes; {@link #NOWHERE} if nothing is to be written
     */
    public static ScriptFiles fetched(Path folder, List<Path> roots, Path results) {
        Path from = Files.isDirectory(folder) ? real(folder) : folder.normalize();
        return new ScriptFiles(
                from, present(roots), "cluster start --allow", results, OtherInputs.NONE);
    }

    /**
     * Files of a script on a cluster of which some were sent along: where the script names one of
     * these, that is read. All must lie under the roots; the script's own folder is that of whoever
     * has sent them, and need not be there.
     *
     * @param results as for {@link #fetched}; null if files to write go where they say
     * @param sent by absolute paths where they come from, what they are called here
     */
    public static ScriptFiles sent(
            Path folder, List<Path> roots, @Nullable Path results, Map<String, String> sent) {
        SortedMap<Path, Path> files = new TreeMap<>();
        sent.forEach((there, here) -> files.put(path(there).normalize(), path(here)));
        return new ScriptFiles(
                folder.normalize(),
                present(roots),
                "cluster start --allow",
                results,
                files,
                OtherInputs.NONE);
    }

    private static List<Path> present(List<Path> roots) {
        return roots.stream().filter(Files::isDirectory).map(ScriptFiles::real).toList();
    }

    /** A file's name as a path. */
    static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException invalid) {
            throw new InvalidInputException(
                    "\"" + name + "\" is not a file's name: " + invalid.getReason(), invalid);
        }
    }

    /** The same files, with names that start from another folder. */
    ScriptFiles in(Path otherFolder) {
        return new ScriptFiles(otherFolder, roots, remedy, results, sent, others);
    }

    /** The same files, and inputs that are no files. */
    public ScriptFiles with(OtherInputs more) {
        return new ScriptFiles(folder, roots, remedy, results, sent, more);
    }

    /** The inputs that are no files; asks nobody. */
    OtherInputs others() {
        return others;
    }

    /**
     * A spool for inputs that are no files.
     *
     * @throws InvalidInputException if there is no folder for it
     */
    InputSpool spool() {
        if (roots.isEmpty()) {
            throw new InvalidInputException(
                    "scripts of this cluster may use no folder, so there is none to fetch a file into; start it with --allow DIR (a folder that is there on all hosts)");
        }
        return new InputSpool(roots.getFirst(), others);
    }

    /**
     * The name of a result as a path: relative, without steps up, and no part of it hidden.
     *
     * @throws InvalidInputException if it is another one
     */
    public static Path resultName(String name) {
        Path path = path(name);
        boolean isPlain = !name.isEmpty() && !path.isAbsolute() && path.equals(path.normalize());
        for (Path part : path) {
            isPlain &= !part.toString().startsWith(".");
        }
        if (isPlain) {
            return path;
        }
        throw new InvalidInputException(
                "\"%s\" can't be fetched: a result that goes to whoever submits the script has a relative name, of which no part begins with a dot"
                        .formatted(name));
    }

    /**
     * A file to read.
     *
     * @return its absolute path without links
     * @throws InvalidInputException if it lies outside the roots or is not a readable file
     */
    public Path input(String name) {
        Path asked = named(name);
        Path named = sent.getOrDefault(asked.normalize(), asked);
        if (!isOutside(named.normalize(), roots)) {
            others.brought().bring(named.normalize());
        }
        Path file;
        try {
            file = named.toRealPath();
        } catch (IOException missing) {
            requireUnderRoots(name, named, named.normalize());
            throw new InvalidInputException(
                    "there is no file \"" + name + "\" in " + shown(named) + similar(named),
                    missing);
        }
        requireUnderRoots(name, named, file);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new InvalidInputException("\"" + name + "\" is not a file that can be read");
        }
        return file;
    }

    /**
     * Files to read: one, those that a pattern in the last part of the name matches, or those of a
     * folder. Of patterns and folders, hidden files and empty ones are left out.
     *
     * @return their absolute paths without links, in the order of their names
     * @throws InvalidInputException if there is none, or one lies outside the roots
     */
    public List<Path> inputs(String name) {
        Path named = named(name);
        List<Path> brought = sentInputs(named.normalize());
        if (!brought.isEmpty()) {
            return brought;
        }
        if (Files.isDirectory(named)) {
            return inputs(name, named, "*");
        }
        Path last = named.getFileName();
        Path parent = named.getParent();
        boolean isPattern = last != null && last.toString().matches(".*[*?].*");
        if (!isPattern || parent == null || Files.exists(named)) {
            return List.of(input(name));
        }
        return inputs(name, parent, last.toString());
    }

    /**
     * What was sent along: a file of that name, or of those that a pattern matches or a folder's.
     */
    private List<Path> sentInputs(Path named) {
        if (sent.containsKey(named)) {
            return List.of(input(named.toString()));
        }
        Path last = named.getFileName();
        Path parent = named.getParent();
        if (sent.isEmpty() || last == null || parent == null) {
            return List.of();
        }
        PathMatcher matcher = named.getFileSystem().getPathMatcher("glob:" + escaped(last));
        List<Path> found = new ArrayList<>();
        sent.keySet().stream()
                .filter(file -> {
                    Path own = file.getFileName();
                    return named.equals(file.getParent())
                            || (own != null
                                    && parent.equals(file.getParent())
                                    && matcher.matches(own));
                })
                .filter(file -> !isHidden(file))
                .map(file -> input(file.toString()))
                .filter(ScriptFiles::hasContent)
                .forEach(found::add);
        return found;
    }

    private static boolean isHidden(Path file) {
        String own = String.valueOf(file.getFileName());
        return own.startsWith(".") || own.startsWith("_");
    }

    private static boolean hasContent(Path file) {
        try {
            return Files.size(file) > 0;
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    private static String escaped(Path pattern) {
        return pattern.toString().replaceAll("[\\\\{}\\[\\]]", "\\\\$0");
    }

    private List<Path> inputs(String name, Path parent, String pattern) {
        List<Path> found = new ArrayList<>();
        try {
            requireUnderRoots(name, parent, parent.toRealPath());
            try (DirectoryStream<Path> files =
                    Files.newDirectoryStream(parent, escaped(Path.of(pattern)))) {
                for (Path file : files) {
                    if (!isHidden(file) && Files.isRegularFile(file) && Files.size(file) > 0) {
                        found.add(input(file.toString()));
                    }
                    if (found.size() > ScriptBounds.MAX_INPUT_FILES) {
                        throw new InvalidInputException(
                                "\"%s\" are more than %d files"
                                        .formatted(name, ScriptBounds.MAX_INPUT_FILES));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            requireUnderRoots(name, parent, parent.normalize());
            throw new InvalidInputException(
                    "the folder of \"%s\" can't be listed; check that it is there".formatted(name),
                    unreadable);
        }
        if (found.isEmpty()) {
            throw new InvalidInputException(
                    "there is no file \"%s\" that has anything in it".formatted(name));
        }
        Collections.sort(found);
        return found;
    }

    /**
     * A file to write, or a folder of parts: either may exist. Of an object, a path that stands for
     * it.
     *
     * @return its absolute path without links
     * @throws InvalidInputException if it lies outside the roots, its folder does not exist, or it
     *     is a folder in which anything but parts lies
     */
    public Path output(String name) {
        if (ObjectName.isName(name)) {
            return standIn(others.checkResult(name));
        }
        if (results != null) {
            return result(results, name);
        }
        Path named = named(name);
        Path file =
                Files.exists(named, LinkOption.NOFOLLOW_LINKS)
                        ? existing(name, named)
                        : fresh(name, named);
        requireUnderRoots(name, named, file);
        if (Files.isDirectory(file) && !isFolderOfParts(file)) {
            throw new InvalidInputException("\"" + name + "\" is a folder, not a file");
        }
        return file;
    }

    /** A path that stands for an object in comparisons, and where nothing is. */
    static Path standIn(ObjectName name) {
        return NOWHERE.resolve("s3").resolve(name.bucket()).resolve(name.key());
    }

    /**
     * Whether it is a folder, no link to one, that parts of tables alone lie in: it can be
     * replaced.
     */
    public static boolean isFolderOfParts(Path file) {
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        boolean hasSome = false;
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(file)) {
            for (Path part : parts) {
                if (!PART.matcher(part.getFileName().toString()).matches()
                        || !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
                    return false;
                }
                hasSome = true;
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            throw new InvalidInputException(
                    "the folder \"%s\" can't be listed; name another one".formatted(file),
                    unreadable);
        }
        return hasSome;
    }

    private static Path result(Path results, String name) {
        Path file = results.resolve(resultName(name));
        if (Files.isDirectory(results)) {
            try {
                Files.createDirectories(Objects.requireNonNull(file.getParent(), "a folder"));
            } catch (IOException full) {
                throw FileTrouble.refusal(file, "written", full);
            }
        }
        return file;
    }

    /** The folder that relative names start from, without links. */
    public Path folder() {
        return folder;
    }

    private Path named(String name) {
        if (name.isEmpty()) {
            throw new InvalidInputException("a file's name is empty");
        }
        return folder.resolve(path(name));
    }

    private Path existing(String name, Path named) {
        try {
            return named.toRealPath();
        } catch (IOException dangling) {
            requireUnderRoots(name, named, named.normalize());
            throw new InvalidInputException(
                    "\"" + name + "\" is a link that leads nowhere", dangling);
        }
    }

    private Path fresh(String name, Path named) {
        Path parent = named.getParent();
        Path last = named.getFileName();
        if (parent == null || last == null) {
            throw new InvalidInputException("\"" + name + "\" is a folder, not a file");
        }
        try {
            return parent.toRealPath().resolve(last).normalize();
        } catch (IOException missing) {
            requireUnderRoots(name, named, named.normalize());
            throw new InvalidInputException(
                    "the folder of \"" + name + "\" does not exist; make " + parent.normalize(),
                    missing);
        }
    }

    /** What lies elsewhere, or where links lead there, is told to nobody. */
    private void requireUnderRoots(String name, Path named, Path file) {
        if (isOutside(file, roots)) {
            Path told = isOutside(named.normalize(), roots) ? named.normalize() : file;
            String target = told.toString();
            throw new InvalidInputException(
                    "\"%s\"%s lies outside the folders that this script may use (%s); put it there%s"
                            .formatted(
                                    name,
                                    name.equals(target) ? "" : " (" + target + ")",
                                    listed(roots),
                                    remedy.isEmpty()
                                            ? ""
                                            : ", or allow its folder: %s %s"
                                                    .formatted(remedy, told.getParent())));
        }
    }

    private static boolean isOutside(Path file, List<Path> roots) {
        return roots.stream().noneMatch(file::startsWith);
    }

    private static String listed(List<Path> roots) {
        return String.join(", ", roots.stream().map(Path::toString).toList());
    }

    private static String shown(Path named) {
        Path parent = named.normalize().getParent();
        return parent == null ? "/" : parent.toString();
    }

    /** A file of nearly that name, when the folder is one that the script may use. */
    private String similar(Path named) {
        Path parent = named.normalize().getParent();
        Path last = named.getFileName();
        if (parent == null || last == null || roots.stream().noneMatch(parent::startsWith)) {
            return "";
        }
        try (Stream<Path> files = Files.list(parent)) {
            List<String> names =
                    files.limit(ScriptBounds.MAX_COMPARED_FILES)
                            .map(file -> String.valueOf(file.getFileName()))
                            .toList();
            return NearestName.guess(last.toString(), names);
        } catch (IOException unreadable) {
            return " (which can't be listed either)";
        }
    }

    private static List<Path> real(List<Path> folders) {
        return folders.stream().map(ScriptFiles::real).distinct().toList();
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException missing) {
            throw new InvalidInputException("there is no folder " + folder, missing);
        }
    }
}
