package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What another process on this machine takes, looked at from outside.
 *
 * @param threads of the operating system
 * @param liveBytes objects of Java that are left behind a collection
 * @param nativeBytes memory in use that is not the heap of Java
 */
record ProcessFigures(long threads, long liveBytes, long nativeBytes) {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    /** Of each generation. */
    private static final Pattern COMMITTED = Pattern.compile("total (\\d+)K");

    /** Of the process of that id; collects its garbage. */
    static ProcessFigures of(long pid) throws IOException, InterruptedException {
        long live = Long.parseLong(first(TOTAL, jcmd(pid, "GC.class_histogram")));
        long heapBytes = 0;
        Matcher spaces = COMMITTED.matcher(jcmd(pid, "GC.heap_info"));
        while (spaces.find()) {
            heapBytes += Long.parseLong(spaces.group(1)) << 10;
        }
        String status = status(pid);
        long resident = Long.parseLong(first(Pattern.compile("RssAnon:\\s+(\\d+) kB"), status));
        return new ProcessFigures(threads(pid), live, (resident << 10) - heapBytes);
    }

    /** Threads of the operating system alone. */
    static long threads(long pid) throws IOException {
        return Long.parseLong(first(Pattern.compile("Threads:\\s+(\\d+)"), status(pid)));
    }

    private static String status(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/status"));
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        ProcessRun run = ProcessRun.of(List.of(jcmd, "" + pid, command), Path.of("/"), Map.of());
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        return run.out();
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }
}
