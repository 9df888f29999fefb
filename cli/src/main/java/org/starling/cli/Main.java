package org.starling.cli;

/** Where {@code ./starling} begins. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Interruption interruption = new Interruption();
        interruption.install();
        ExitCode code = Commands.all().run(arguments, Terminal.ofProcess(), interruption);
        System.out.flush();
        interruption.finish(code);
        System.exit(code.number());
    }
}
