package org.starling.compute.cluster;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process with this one's Java, class path and flags. */
public final class JavaCommand {
    private JavaCommand() {}

    /**
     * Makes one; agents of this process are left out.
     *
     * @param main the class to run
     * @param flags more flags for its Java, like {@code -Dname=value}; they come after this
     *     process's and so prevail
     * @param arguments of {@code main}
     */
    public static List<String> of(Class<?> main, List<String> flags, List<String> arguments) {
        return of(main, inherited(), flags, arguments);
    }

    /** The same with others in the place of this process's flags. */
    static List<String> of(
            Class<?> main, List<String> inherited, List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(inherited);
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }

    /** This process's flags, as far as its children get them. */
    static List<String> inherited() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.startsWith("-agent") && !flag.startsWith("-javaagent"))
                .toList();
    }
}
