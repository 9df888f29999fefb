package org.starling.cli;

import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.starling.compute.cluster.JarService;
import org.starling.compute.cluster.JarService.JarView;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.JobCode;

/** The option that names jars, and what becomes of them. */
final class JarLine {
    static final String JAR = "jar";

    private JarLine() {}

    static Option option() {
        return option(
                "a jar with tasks, programs and edge sources that the script names; may be given several times");
    }

    static Option option(String meaning) {
        return Command.valued(JAR, "FILE", meaning);
    }

    /**
     * The jars that a command line names, looked into but not loaded.
     *
     * @param rules that hold here; a cluster has its own
     */
    static List<JarContents> read(CommandLine line, Terminal terminal, JarRules rules) {
        List<String> files = ScriptLine.values(line, JAR);
        if (!files.isEmpty()) {
            rules.checkAllowed();
        }
        List<JarContents> jars =
                JarContents.distinct(
                        files.stream()
                                .map(file -> JarInspection.of(terminal.file(file), rules))
                                .toList());
        JarContents.checkTogether(jars);
        return jars;
    }

    /** Loads them in this process; to be closed. */
    static JobCode load(List<JarContents> jars) {
        return JobCode.load(jars.stream().map(JarContents::jar).toList());
    }

    static List<String> digests(List<JarContents> jars) {
        return jars.stream().map(each -> each.jar().digest()).toList();
    }

    /** Brings a cluster those that it does not have. */
    static void bring(List<JarContents> jars, JarService service, Terminal terminal) {
        if (jars.isEmpty()) {
            return;
        }
        List<JarView> views =
                jars.stream()
                        .map(JarContents::jar)
                        .map(jar -> new JarView(jar.digest(), jar.name(), jar.bytes(), List.of()))
                        .toList();
        List<String> missing = service.missing(views);
        for (JarContents each : jars) {
            if (missing.contains(each.jar().digest())) {
                terminal.err().println("bringing " + each.jar().name());
                service.bring(each.jar().digest(), each.jar().name(), each.jar().file());
            }
        }
    }
}
