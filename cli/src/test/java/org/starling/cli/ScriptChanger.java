package org.starling.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TaskCatalog;

/**
 * Makes one to three changes to a script: names mistyped, members and elements removed, doubled or
 * exchanged, values of other types put in their place, now and then a character of the text.
 */
final class ScriptChanger {
    private static final int MAX_CHANGES = 3;
    private static final int TEXT_CHANGES_ONE_IN = 10;
    private static final List<String> WORDS =
            List.of(
                    "task",
                    "as",
                    "if",
                    "then",
                    "else",
                    "repeat",
                    "while",
                    "atMost",
                    "forEach",
                    "in",
                    "parallel",
                    "include",
                    "tasks",
                    "onFailure",
                    "timeLimit",
                    "parameters",
                    "graph",
                    "source",
                    "failed",
                    "continue",
                    "g",
                    "pr",
                    "",
                    "$",
                    "${",
                    "${}",
                    "${pr}",
                    "${pr.top[0][0]}",
                    "${x.y}",
                    "${pr.top[99999999999]}",
                    "pr.sum > 1 and",
                    "not",
                    "((",
                    "part.json",
                    "changed.json",
                    "../..",
                    "0x",
                    "30 s",
                    "1 parsec",
                    "é\u0000");

    private final Random random;
    private final List<String> names;

    ScriptChanger(Random random, TaskCatalog tasks) {
        this.random = random;
        this.names = new ArrayList<>(WORDS);
        this.names.addAll(tasks.names());
    }

    String change(String script) {
        if (random.nextInt(TEXT_CHANGES_ONE_IN) == 0) {
            int at = random.nextInt(script.length());
            return script.substring(0, at)
                    + mistype(script.substring(at, at + 1))
                    + script.substring(at + 1);
        }
        Object tree = JsonText.parse(script);
        for (int changes = 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
            tree = change(tree, random.nextInt(1 + size(tree)));
        }
        return JsonText.write(tree);
    }

    private static int size(@Nullable Object tree) {
        return switch (tree) {
            case Map<?, ?> map -> 1 + map.values().stream().mapToInt(ScriptChanger::size).sum();
            case List<?> list -> 1 + list.stream().mapToInt(ScriptChanger::size).sum();
            case null, default -> 1;
        };
    }

    /** Changes the node that is so many away in the order of the text. */
    private @Nullable Object change(@Nullable Object tree, int at) {
        if (at == 0) {
            return other(tree);
        }
        int left = at - 1;
        if (tree instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> changed = new LinkedHashMap<>();
            for (Map.Entry<?, ?> member : map.entrySet()) {
                int size = size(member.getValue());
                String name = member.getKey().toString();
                boolean here = left >= 0 && left < size;
                if (here && random.nextInt(4) == 0) {
                    putOther(changed, name, member.getValue());
                } else {
                    changed.put(name, here ? change(member.getValue(), left) : member.getValue());
                }
                left -= size;
            }
            return changed;
        }
        if (tree instanceof List<?> list) {
            List<@Nullable Object> changed = new ArrayList<>();
            for (Object element : list) {
                int size = size(element);
                boolean here = left >= 0 && left < size;
                changed.add(here ? change(element, left) : element);
                if (here && random.nextInt(8) == 0) {
                    changed.add(element);
                }
                left -= size;
            }
            return changed;
        }
        return other(tree);
    }

    /** A member under another name, or none. */
    private void putOther(
            Map<String, @Nullable Object> members, String name, @Nullable Object value) {
        switch (random.nextInt(3)) {
            case 0 -> members.put(mistype(name), value);
            case 1 -> members.put(any(names), value);
            default -> {}
        }
    }

    private @Nullable Object other(@Nullable Object value) {
        return switch (random.nextInt(12)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong();
            case 3 -> (long) random.nextInt(-2, 12);
            case 4 -> random.nextGaussian();
            case 5 -> List.of();
            case 6 -> Map.of();
            case 7 -> value == null ? List.of(1L) : List.of(value);
            case 8 -> Map.of(any(names), value == null ? "x" : value);
            case 9 -> mistype(String.valueOf(value));
            default -> any(names);
        };
    }

    private String mistype(String text) {
        if (text.isEmpty()) {
            return "x";
        }
        int at = random.nextInt(text.length());
        String letter = String.valueOf((char) random.nextInt(' ', '~'));
        return switch (random.nextInt(3)) {
            case 0 -> text.substring(0, at) + letter + text.substring(at + 1);
            case 1 -> text.substring(0, at) + text.substring(at + 1);
            default -> text.substring(0, at) + letter + text.substring(at);
        };
    }

    private String any(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
