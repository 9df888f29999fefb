package org.starling.compute.access;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starling.compute.script.NearestName;
import org.starling.graph.InvalidInputException;

/** What a token is good for; each role includes those before it. */
public enum AccessRole {
    /** See jobs, reports, results, graphs and how the cluster is; ask about vertices. */
    READ,
    /** Submit and cancel jobs, and change what jobs can change: kept graphs, results. */
    SUBMIT,
    /** Look after the cluster. */
    OPERATE,
    /** Make and revoke tokens, and bring code that runs with the nodes' rights. */
    ADMIN;

    /** Whether who has this role may do what another one is asked for. */
    public boolean includes(AccessRole other) {
        return compareTo(other) >= 0;
    }

    /** As people write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads what {@link #text} gives.
     *
     * @throws InvalidInputException if it is something else
     */
    public static AccessRole of(String text) {
        List<String> known = Arrays.stream(values()).map(AccessRole::text).toList();
        return Arrays.stream(values())
                .filter(role -> role.text().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new InvalidInputException(
                                "there is no role \"%s\"%s"
                                        .formatted(text, NearestName.hint(text, known))));
    }
}
