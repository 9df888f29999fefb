package org.starling.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.help.HelpFormatter;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/** {@code package}: makes of what a checkout has built what people install. */
public final class PackageMain {
    private static final String TO = "to";
    private static final String IMAGE = "image";
    private static final String HELP = "help";
    private static final int DONE = 0;
    private static final int WRONG_USAGE = 2;
    private static final int BAD_INPUT = 3;

    private PackageMain() {}

    /** Ends the process with the exit code of every command. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> words) throws IOException, InterruptedException {
        Options options = options();
        try {
            CommandLine line =
                    DefaultParser.builder()
                            .setAllowPartialMatching(false)
                            .get()
                            .parse(options, words.toArray(String[]::new));
            if (line.hasOption(HELP)) {
                HelpFormatter.builder()
                        .setShowSince(false)
                        .get()
                        .printHelp(
                                "starling package",
                                "Makes packages to install where there is no JDK.",
                                options,
                                "",
                                true);
                return DONE;
            }
            if (!line.getArgList().isEmpty()) {
                throw new ParseException(
                        "options only, found \"" + line.getArgList().getFirst() + "\"");
            }
            make(line);
            return DONE;
        } catch (ParseException wrong) {
            System.err.printf(
                    "starling: package: %s; see starling package --help%n", wrong.getMessage());
            return WRONG_USAGE;
        } catch (InvalidInputException refused) {
            System.err.printf("starling: %s%n", refused.getMessage());
            return BAD_INPUT;
        }
    }

    private static Options options() {
        Options options = new Options();
        options.addOption(
                Option.builder()
                        .longOpt(TO)
                        .hasArg()
                        .argName("DIR")
                        .desc("folder for what is made (default: packages/target)")
                        .get());
        options.addOption(
                Option.builder()
                        .longOpt(IMAGE)
                        .desc("make a container image, too, as an archive in OCI's format")
                        .get());
        return options.addOption(Option.builder().longOpt(HELP).desc("print this").get());
    }

    private static void make(CommandLine line) throws IOException, InterruptedException {
        Checkout checkout = Checkout.ofLauncher();
        Path folder =
                Path.of(line.getOptionValue(TO, checkout.file("packages/target").toString()))
                        .toAbsolutePath()
                        .normalize();
        try {
            Files.createDirectories(folder);
        } catch (IOException refused) {
            throw new InvalidInputException(
                    "no package can be put into %s: %s"
                            .formatted(folder, FileTrouble.reason(refused)),
                    refused);
        }
        Path work = Files.createTempDirectory("starling-package");
        try {
            System.err.println("starling: linking a runtime (half a minute) …");
            Path runtime = TrimmedRuntime.link(checkout.libraries(), work);
            List<Packed> content = new ArrayList<>(checkout.content());
            content.addAll(Packed.folder("runtime", runtime));
            Path tarball = folder.resolve(checkout.name() + ".tar.gz");
            Tarball.write(tarball, checkout.name(), content, checkout.time());
            System.out.println(Tarball.sentence(tarball));
            if (line.hasOption(IMAGE)) {
                Path image = folder.resolve(checkout.name() + "-image.tar");
                ContainerImage.write(
                        image,
                        "starling:" + checkout.version(),
                        content,
                        SystemLibraries.of(runtime),
                        checkout.time(),
                        work);
                System.out.println(Tarball.sentence(image));
            }
        } finally {
            Folders.delete(work);
        }
    }
}
