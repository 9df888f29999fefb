package org.starling.loaders;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Headers as {@code neo4j-admin database import} has them ({@code :ID}, {@code :START_ID}, {@code
 * name:type}), turned into those of tables here. Fields without a type are texts there, too. Types
 * that there are none of here (dates, points, lists) are read as texts. Stateless.
 */
final class Neo4jHeader {
    private static final Pattern ROLE =
            Pattern.compile(
                    "([^:]*):(START_ID|END_ID|ID|TYPE|LABEL)(?:\\(([^()]*)\\))?(?:\\{[^{}]*\\})?");
    private static final Pattern TYPED = Pattern.compile("([^:]+):([^:{}]+)(?:\\{.*\\})?");
    private static final Set<String> WHOLE = Set.of("int", "long", "byte", "short");
    private static final Set<String> OTHERS = Set.of("float", "double", "boolean");

    private Neo4jHeader() {}

    /**
     * The header of a table of edges; other headers stay as they are.
     *
     * @throws InvalidInputException if the ends of edges are of different id spaces
     */
    static List<String> ofEdges(String where, List<String> fields) {
        Matcher start = role("START_ID", fields);
        Matcher end = role("END_ID", fields);
        if (start == null || end == null) {
            return fields;
        }
        String from = String.valueOf(start.group(3));
        String to = String.valueOf(end.group(3));
        if (!from.equals(to)) {
            throw new InvalidInputException(
                    "%s: edges lead from ids of %s to ids of %s, and a graph has one kind of ids here (put the names of the id spaces before the ids, and leave them out of the header)"
                            .formatted(where, Quote.of(from), Quote.of(to)));
        }
        List<String> plain = new ArrayList<>();
        for (String field : fields) {
            Matcher role = ROLE.matcher(field.strip());
            plain.add(
                    !role.matches()
                            ? property(field.strip(), "?")
                            : switch (role.group(2)) {
                                case "START_ID" -> TableColumns.SOURCE;
                                case "END_ID" -> TableColumns.TARGET;
                                case "TYPE" -> "type:string";
                                default -> role.group(2).toLowerCase(Locale.ROOT) + ":string";
                            });
        }
        return plain;
    }

    /**
     * The header of a table of vertices, which begins with their ids; other headers stay as they
     * are.
     */
    static List<String> ofVertices(List<String> fields) {
        if (role("ID", fields.subList(0, 1)) == null) {
            return fields;
        }
        List<String> plain = new ArrayList<>(List.of("id"));
        for (String field : fields.subList(1, fields.size())) {
            Matcher role = ROLE.matcher(field.strip());
            plain.add(role.matches() ? "label:string" : property(field.strip(), ""));
        }
        return plain;
    }

    private static String property(String field, String optional) {
        Matcher typed = TYPED.matcher(field);
        if (!typed.matches()) {
            return field + ":string";
        }
        String type = typed.group(2).strip();
        if (WHOLE.contains(type)) {
            return typed.group(1) + ":" + (type.equals("long") ? "long" : "int") + optional;
        }
        return OTHERS.contains(type)
                ? typed.group(1) + ":" + type + optional
                : typed.group(1) + ":string";
    }

    private static @Nullable Matcher role(String name, List<String> fields) {
        for (String field : fields) {
            Matcher role = ROLE.matcher(field.strip());
            if (role.matches() && role.group(2).equals(name)) {
                return role;
            }
        }
        return null;
    }
}
