package org.starling.net.internal.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in certificates that stand for node ids: {@code node-7.starling} for one, {@code
 * nodes-3-65535.starling} for a run, both ends included. They are subject alternative names of the
 * type DNS.
 */
public final class NodeNames {

    /** The type of a host's name among subject alternative names (RFC 5280, 4.2.1.6). */
    static final int DNS = 2;

    /** The type of an address. */
    static final int ADDRESS = 7;

    private static final Pattern ADDRESSES =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern NAME =
            Pattern.compile("node-(\\d{1,5})\\.starling|nodes-(\\d{1,5})-(\\d{1,5})\\.starling");

    private NodeNames() {}

    /** The name for the nodes {@code first} to {@code last}. */
    public static String of(int first, int last) {
        return first == last
                ? "node-" + first + ".starling"
                : "nodes-" + first + "-" + last + ".starling";
    }

    /** Whether a certificate is one of node {@code nodeId}. */
    public static boolean covers(X509Certificate certificate, int nodeId) {
        return names(certificate).stream().anyMatch(name -> covers(name, nodeId));
    }

    /** Whether a text is an address and not a host's name. */
    public static boolean isAddress(String text) {
        return ADDRESSES.matcher(text).matches();
    }

    /** All subject alternative names of the type DNS; none when they can't be read. */
    public static List<String> names(X509Certificate certificate) {
        return names(certificate, List.of(DNS));
    }

    /** Addresses, too, as {@link CertificateMaker#sign} takes them. */
    public static List<String> namesAndAddresses(X509Certificate certificate) {
        return names(certificate, List.of(DNS, ADDRESS));
    }

    private static List<String> names(X509Certificate certificate, List<Integer> types) {
        Collection<List<?>> all;
        try {
            all = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return List.of("names that can't be read (" + e.getMessage() + ")");
        }
        List<String> names = new ArrayList<>();
        for (List<?> typed : all == null ? List.<List<?>>of() : all) {
            if (types.contains(typed.get(0))) {
                names.add(String.valueOf(typed.get(1)));
            }
        }
        return names;
    }

    private static boolean covers(String name, int nodeId) {
        Matcher matcher = NAME.matcher(name.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return false;
        }
        if (matcher.group(1) != null) {
            return Integer.parseInt(matcher.group(1)) == nodeId;
        }
        return Integer.parseInt(matcher.group(2)) <= nodeId
                && nodeId <= Integer.parseInt(matcher.group(3));
    }
}
