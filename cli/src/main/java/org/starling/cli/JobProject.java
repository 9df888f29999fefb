package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.starling.cli.rest.PackagedText;
import org.starling.graph.ApiVersion;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * The files of a new project. Its sources are those of package {@code org.starling.examples.roads},
 * which the build compiles and tests, under the names of the project. Immutable.
 */
final class JobProject {
    /** What Maven, jars and packages can all be called. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private static final int MAX_NAME = 60;
    private static final String SOURCES = "/org/starling/examples/roads/project/";
    private static final String OWN = "project/";
    private static final String EXAMPLE_PACKAGE = "org.starling.examples.roads";

    private final Path folder;
    private final String name;
    private final SortedMap<String, String> texts = new TreeMap<>();

    private JobProject(Path folder, String name, String starling) {
        this.folder = folder;
        this.name = name;
        String packageName = packageName(name);
        Map<String, String> words =
                Map.of(
                        "@name@", name,
                        "@package@", packageName,
                        "@starling@", starling,
                        "@api@", Integer.toString(ApiVersion.MAJOR));
        put("pom.xml", PackagedText.of(JobProject.class, OWN + "pom.xml"), words);
        put("README.md", PackagedText.of(JobProject.class, OWN + "README.md"), words);
        texts.put(".gitignore", "target/\nscripts/distances.txt\n");
        String main = "src/main/java/" + packageName + "/";
        for (String file :
                List.of(
                        "ShortestPaths.java",
                        "Programs.java",
                        "FindFarthest.java",
                        "package-info.java")) {
            texts.put(
                    main + file,
                    renamed(PackagedText.of(JobProject.class, SOURCES + file), packageName));
        }
        texts.put(
                "src/test/java/" + packageName + "/RoadsTest.java",
                renamed(
                        PackagedText.of(JobProject.class, SOURCES + "RoadsTest.java"),
                        packageName));
        String services = "src/main/resources/META-INF/services/org.starling.graph.";
        texts.put(services + "ProgramProvider", packageName + ".Programs\n");
        texts.put(services + "Task", packageName + ".FindFarthest\n");
        texts.put(
                "scripts/" + name + ".json",
                renamed(PackagedText.of(JobProject.class, SOURCES + "roads.json"), packageName));
        texts.put(
                "scripts/roads.edges", PackagedText.of(JobProject.class, SOURCES + "roads.edges"));
    }

    /**
     * A project in a folder, called like it.
     *
     * @param folder absolute
     * @param starling version of the libraries
     * @throws InvalidInputException if nothing can be called like the folder
     */
    static JobProject in(Path folder, String starling) {
        Path last = folder.getFileName();
        String name = last == null ? "" : last.toString();
        String why = "";
        if (!NAME.matcher(name).matches()) {
            why = "take lower case letters, digits and single hyphens, a letter first";
        } else if (name.length() > MAX_NAME) {
            why = "it has more than " + MAX_NAME + " letters";
        } else if (SourceVersion.isKeyword(packageName(name))
                || List.of("java", "javax", "org", "starling").contains(packageName(name))) {
            why = "no package of Java can be called that; add a word: " + name + "-job";
        }
        if (!why.isEmpty()) {
            throw new InvalidInputException(
                    "a project can't be called \"%s\": %s, for example my-job"
                            .formatted(name, why));
        }
        return new JobProject(folder, name, starling);
    }

    String name() {
        return name;
    }

    /** Names of all files, in the folder. */
    List<String> files() {
        return List.copyOf(texts.keySet());
    }

    /**
     * Writes all files, or none.
     *
     * @throws InvalidInputException if the folder has something in it or can't be written
     */
    void write() {
        boolean wasThere = Files.exists(folder);
        requireEmpty();
        List<Path> written = new ArrayList<>();
        try {
            for (var file : texts.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                written.add(path);
                Files.writeString(path, file.getValue());
            }
        } catch (IOException broken) {
            throw FileTrouble.refusal(removed(written, wasThere), "written", broken);
        }
    }

    private void requireEmpty() {
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException(
                    folder + " is a file; take the name of a folder that is not there yet");
        }
        try (Stream<Path> there = Files.list(folder)) {
            if (there.findAny().isPresent()) {
                throw new InvalidInputException(
                        folder
                                + " is not empty; take a folder that is, or one that is not there yet");
            }
        } catch (IOException broken) {
            throw FileTrouble.refusal(folder, "read", broken);
        }
    }

    /** Takes back what has been written; returns the file that could not be. */
    private Path removed(List<Path> written, boolean folderStays) {
        Path last = written.isEmpty() ? folder : written.getLast();
        for (Path file : written.reversed()) {
            Path left = file;
            while (left != null
                    && left.startsWith(folder)
                    && !(folderStays && left.equals(folder))
                    && remove(left)) {
                left = left.getParent();
            }
        }
        return last;
    }

    /** Removes a file or an empty folder; false where there is more in it, or no right to. */
    private static boolean remove(Path path) {
        try {
            Files.deleteIfExists(path);
            return true;
        } catch (IOException stays) {
            return false;
        }
    }

    private void put(String file, String text, Map<String, String> words) {
        String filled = text;
        for (var word : words.entrySet()) {
            filled = filled.replace(word.getKey(), word.getValue());
        }
        texts.put(file, filled);
    }

    private static String packageName(String name) {
        return name.replace("-", "");
    }

    private static String renamed(String text, String packageName) {
        return text.replace(EXAMPLE_PACKAGE, packageName)
                .replace("roads.shortestPaths", packageName + ".shortestPaths")
                .replace("roads.farthest", packageName + ".farthest")
                .replace("\"name\": \"roads\"", "\"name\": \"" + packageName + "\"");
    }
}
