package org.starling.net.internal.ucx;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;

/**
 * Which network devices UCX may use: the value of its variable UCX_NET_DEVICES, taken apart; none
 * stands for all. Immutable.
 */
public final class UcxDevices {

    /** All that there are. */
    public static final UcxDevices ALL = new UcxDevices(List.of());

    /** UCX's variable. */
    public static final String VARIABLE = "UCX_NET_DEVICES";

    private static final String ALL_NAME = "all";

    private final List<String> names;

    private UcxDevices(List<String> names) {
        this.names = List.copyOf(names);
    }

    /**
     * What is to be used. Where nobody says anything and TCP is the only network, that is the
     * interface that has the address a node is bound to, so that UCX listens nowhere else.
     *
     * @param wanted a list separated by commas; blank for the environment's
     * @param environment the value of {@link #VARIABLE}, null when it is not set
     * @param tls with what
     * @param bound where the node listens
     */
    public static UcxDevices of(
            String wanted, @Nullable String environment, UcxTls tls, @Nullable InetAddress bound) {
        String chosen = wanted.isBlank() && environment != null ? environment : wanted;
        List<String> names =
                Arrays.stream(chosen.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList();
        if (names.contains(ALL_NAME)) {
            return ALL;
        }
        if (!names.isEmpty()) {
            return new UcxDevices(names);
        }
        if (!tls.isTcpAlone() || bound == null || bound.isAnyLocalAddress()) {
            return ALL;
        }
        return ofInterface(bound);
    }

    private static UcxDevices ofInterface(InetAddress bound) {
        try {
            NetworkInterface device = NetworkInterface.getByInetAddress(bound);
            return device == null ? ALL : new UcxDevices(List.of(device.getName()));
        } catch (SocketException e) {
            throw new NetException("no network interface has the address " + bound, e);
        }
    }

    /** Those that must be there; none for all. */
    List<String> names() {
        return names;
    }

    /** The value for UCX. */
    String value() {
        return names.isEmpty() ? ALL_NAME : String.join(",", names);
    }

    @Override
    public String toString() {
        return VARIABLE + "=" + value();
    }
}
