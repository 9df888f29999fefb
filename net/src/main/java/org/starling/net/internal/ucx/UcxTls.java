package org.starling.net.internal.ucx;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;

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

    /** With these and tcp alone, the network interface can be named. */
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

    /**
     * With TCP as the only network, the network interface that has the address a node is bound to,
     * so that UCX listens nowhere else; null where UCX or its variable UCX_NET_DEVICES chooses.
     */
    public @Nullable String networkDevice(@Nullable InetAddress bound) {
        if (!isTcpAlone()
                || bound == null
                || bound.isAnyLocalAddress()
                || System.getenv("UCX_NET_DEVICES") != null) {
            return null;
        }
        try {
            NetworkInterface device = NetworkInterface.getByInetAddress(bound);
            return device == null ? null : device.getName();
        } catch (SocketException e) {
            throw new NetException("no network interface has the address " + bound, e);
        }
    }

    @Override
    public String toString() {
        return VARIABLE + "=" + value();
    }

    private boolean isTcpAlone() {
        return names.contains("tcp")
                && names.stream()
                        .allMatch(name -> name.equals("tcp") || WITHOUT_NETWORK.contains(name));
    }

    private static boolean isExclusion(List<String> names) {
        return !names.isEmpty() && names.get(0).startsWith("^");
    }
}
