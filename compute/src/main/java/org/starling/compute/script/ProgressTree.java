package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunRecord;

/**
 * Reads the parts of a {@link ScriptProgress} and of a {@link ScriptReport} from JSON. What is not
 * of the form is an {@link IllegalArgumentException}: progress is written by masters, not by
 * people.
 */
final class ProgressTree {
    private ProgressTree() {}

    static TaskReport task(Map<?, ?> task) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        map(task.containsKey("result") ? task.get("result") : Map.of())
                .forEach((name, value) -> result.put(name.toString(), value));
        List<RunRecord> runs = new ArrayList<>();
        for (Object run : list(task.containsKey("runs") ? task.get("runs") : List.of())) {
            runs.add(RunTree.run(map(run)));
        }
        Object as = task.get("as");
        return new TaskReport(
                text(task, "task"),
                as == null ? null : as.toString(),
                number(task, "seconds"),
                integer(task, "supersteps"),
                integer(task, "messages"),
                result,
                runs);
    }

    static RecoveryEvent event(Map<?, ?> event) {
        return new RecoveryEvent(
                (int) integer(event, "node"),
                text(event, "role"),
                (int) integer(event, "superstep"),
                (int) integer(event, "resumedAt"),
                number(event, "seconds"));
    }

    static Map<?, ?> map(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException("expected an object, found " + Found.of(tree));
    }

    static List<?> list(@Nullable Object tree) {
        if (tree instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("expected a list, found " + Found.of(tree));
    }

    static double number(Map<?, ?> members, String name) {
        if (members.get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("expected a number \"" + name + "\"");
    }

    static long integer(Map<?, ?> members, String name) {
        if (members.get(name) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("expected a whole number \"" + name + "\"");
    }

    static boolean flag(Map<?, ?> members, String name) {
        if (members.get(name) instanceof Boolean value) {
            return value;
        }
        throw new IllegalArgumentException("expected true or false \"" + name + "\"");
    }

    static String text(Map<?, ?> members, String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("expected a text \"" + name + "\"");
    }
}
