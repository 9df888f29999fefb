package org.starling.net.internal.ucx;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of UCX's transports may be used: the value of its variable UCX_TLS, taken apart. Immutable.
 *
 * <p>{@code self} is always among them: a node reaches itself through it and through nothing else.
 */
public final class UcxTls {

    /** What is meant when nobody says otherwise: an InfiniBand adapter. */
    public static final String DEFAULT = "rc,ud,self";

    /** UCX's variable. */
    public static final String VARIABLE = "UCX_TLS";

    private static final String SELF = "self";

    /** UCX's names for memory shared between processes of one machine. */
    private static final Set<String> SHARED_MEMORY =
            Set.of("posix", "sysv", "xpmem", "sm", "shm", "mm", "all");

    /** Those that use no network device. */
    private static final Set<String> WITHOUT_NETWORK =
            Set.of(SELF, "posix", "sysv", "xpmem", "sm", "shm", "mm", "cma", "knem");

    private final List<String> names;

    private UcxTls(List<String> names) {
        this.names = List.copyOf(names);
    }

    /**
     * What is to be used.
     *
     * @param wanted a list separated by commas; blank for the environment's
     * @param environment the value of {@link #VARIABLE}, null when it is not set; blank or null for
     *     {@link #DEFAULT}
     */
    public static UcxTls of(String wanted, @Nullable String environment) {
        String chosen = wanted;
        if (chosen.isBlank()) {
            chosen = environment == null || environment.isBlank() ? DEFAULT : environment;
        }
        List<String> names = new ArrayList<>();
        for (String name : chosen.split(",", -1)) {
            if (!name.isBlank()) {
                names.add(name.strip());
            }
        }
        if (!isExclusion(names) && !names.contains(SELF)) {
            names.add(SELF);
        }
        return new UcxTls(names);
    }

    /** The value for UCX. */
    String value() {
        return String.join(",", names);
    }

    /**
     * What must be there each for itself, so that none is left out in silence; a list of exclusions
     * ({@code ^tcp}) names nothing that must be there.
     */
    List<String> demanded() {
        return isExclusion(names)
                ? List.of()
                : names.stream().filter(name -> !name.equals(SELF)).toList();
    }

    /** Whether memory may be shared with other processes. */
    public boolean sharesMemory() {
        return isExclusion(names) || names.stream().anyMatch(SHARED_MEMORY::contains);
    }

    /** Whether TCP is the only network among them. */
    boolean isTcpAlone() {
        return names.contains("tcp")
                && names.stream()
                        .allMatch(name -> name.equals("tcp") || WITHOUT_NETWORK.contains(name));
    }

    @Override
    public String toString() {
        return VARIABLE + "=" + value();
    }

    private static boolean isExclusion(List<String> names) {
        return !names.isEmpty() && names.get(0).startsWith("^");
    }
}
