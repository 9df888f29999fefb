package org.starling.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.compute.GroupName;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;

/** Compute groups with their numbers of peers, as people write them. */
final class PeerGroups {
    private PeerGroups() {}

    /** Reads an object of numbers by names of groups. */
    static Map<String, Integer> read(Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            throw wrong(JsonText.write(value));
        }
        Map<String, Integer> groups = new LinkedHashMap<>();
        members.forEach((name, count) -> {
            if (!(count instanceof Long peers) || peers < 1 || peers > Settings.MAX_PEERS) {
                throw wrong(JsonText.write(value));
            }
            groups.put(new GroupName(name.toString()).text(), peers.intValue());
        });
        return groups;
    }

    /** Reads what stands on a command line: {@code night=2,day=2}. */
    static Map<String, Integer> parse(String text) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            int sign = part.indexOf('=');
            try {
                Object before =
                        members.put(
                                part.substring(0, Math.max(0, sign)),
                                Long.valueOf(part.substring(sign + 1)));
                if (sign < 1 || before != null) {
                    throw new UsageException(usage(text));
                }
            } catch (NumberFormatException noNumber) {
                throw new UsageException(usage(text));
            }
        }
        return read(members);
    }

    private static String usage(String text) {
        return "--groups takes names with numbers of peers, like night=2,day=2; found \"%s\""
                .formatted(text);
    }

    private static InvalidInputException wrong(String found) {
        return new InvalidInputException(
                "expected numbers of peers (1 to %d) by names of groups, found %s"
                        .formatted(Settings.MAX_PEERS, found));
    }
}
