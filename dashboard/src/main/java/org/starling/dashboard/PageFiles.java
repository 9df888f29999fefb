package org.starling.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All files of the page: those named here and no others, so no name that comes from outside ever
 * becomes a path. Immutable; any thread.
 */
public final class PageFiles {
    /** The file with which browsers begin. */
    public static final String START = "index.html";

    /** Most bytes of all files together, so that the first look at a cluster is quick. */
    public static final int MAX_BYTES = 200_000;

    private static final List<String> NAMES =
            List.of(
                    START,
                    "page.css",
                    "icon.svg",
                    "main.js",
                    "session.js",
                    "live.js",
                    "dom.js",
                    "format.js",
                    "words.js",
                    "charts.js",
                    "heat.js",
                    "login-view.js",
                    "cluster-view.js",
                    "jobs-view.js",
                    "job-view.js",
                    "graphs-view.js",
                    "graph-view.js",
                    "column-view.js",
                    "groups-view.js",
                    "log-view.js",
                    "script-view.js",
                    "completion.js",
                    "uPlot.iife.min.js",
                    "uPlot.min.css",
                    "uPlot.LICENSE.txt");

    private final Map<String, PageFile> files;

    private PageFiles(Map<String, PageFile> files) {
        this.files = files;
    }

    /** Reads them from the class path. */
    public static PageFiles read() {
        Map<String, PageFile> files = new LinkedHashMap<>();
        for (String name : NAMES) {
            files.put(name, new PageFile(name, bytes("page/" + name)));
        }
        return new PageFiles(files);
    }

    /** One of them; nothing if there is none of that name. */
    public Optional<PageFile> file(String name) {
        return Optional.ofNullable(files.get(name));
    }

    /** All of them, {@link #START} first. */
    public Collection<PageFile> all() {
        return List.copyOf(files.values());
    }

    private static byte[] bytes(String resource) {
        try (InputStream stream = PageFiles.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(resource + " is missing in the jar");
            }
            return stream.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
