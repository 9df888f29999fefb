package org.starling.benchmarks.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.starling.graph.InvalidInputException;

/** A child that does what the tests of {@link ChildJvm} tell it. */
final class ObedientChild {
    private ObedientChild() {}

    public static void main(String[] arguments) throws IOException {
        ParentLine.serve(request -> obey(request, arguments));
    }

    static ChildJvm start(String... arguments) {
        return ChildJvm.start(
                "child", ObedientChild.class, List.of(arguments), List.of("-Dobedient=very"));
    }

    private static String obey(String request, String[] arguments) throws Exception {
        return switch (request) {
            case "arguments" -> String.join(",", arguments);
            case "property" -> System.getProperty("obedient", "not");
            case "print" -> {
                System.out.println("refused not an answer");
                yield "printed";
            }
            case "refuse" -> throw new InvalidInputException("nobody can do that");
            case "fail" -> throw new IllegalStateException("it is\nbroken");
            case "two lines" -> "one\ntwo";
            case "hang" -> {
                new CountDownLatch(1).await();
                yield "never";
            }
            case "exit" -> {
                Runtime.getRuntime().halt(7);
                yield "never";
            }
            case "child" -> {
                ChildJvm child = start();
                child.tell("hang");
                yield Long.toString(child.pid());
            }
            case "nested" -> {
                try (ChildJvm child = start("nested")) {
                    yield child.ask("arguments", Duration.ofSeconds(20));
                }
            }
            default -> request;
        };
    }
}
