package org.starling.compute.inputs;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectPlace;
import org.starling.graph.InvalidInputException;

/**
 * The web servers that scripts may read from, and the places in object stores that they may use.
 * Whoever submits a script makes the cluster ask them, from within its network and with its keys:
 * so there are none where nobody has named any, and addresses of that network itself only where an
 * entry names their host in so many words. Immutable.
 *
 * @param entries {@code HOST} (its usual ports), {@code HOST:PORT}, {@code *.DOMAIN} or {@code *}
 *     in small letters; {@code s3://BUCKET/FOLDER} and the like as {@link ObjectPlace} has them
 */
public record WebHosts(List<String> entries) {
    private static final Pattern ENTRY =
            Pattern.compile(
                    "\\*|(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*(:\\d{1,5})?|\\[[0-9a-f:.]+](:\\d{1,5})?");

    /** Most that can be named. */
    public static final int MAX_ENTRIES = 64;

    /** None at all. */
    public static final WebHosts NONE = new WebHosts(List.of());

    /** All: for looking at scripts that somebody else runs. */
    public static final WebHosts ANY = new WebHosts(List.of("*", "s3+write://*"));

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /**
     * Checks the entries.
     *
     * @throws InvalidInputException if one names no host
     */
    public WebHosts {
        entries = entries.stream().map(WebHosts::checked).distinct().toList();
        if (entries.size() > MAX_ENTRIES) {
            throw new InvalidInputException(
                    "at most %d hosts and buckets can be allowed, found %d"
                            .formatted(MAX_ENTRIES, entries.size()));
        }
    }

    /**
     * An entry as it is kept.
     *
     * @throws InvalidInputException if it names no host
     */
    public static String checked(String entry) {
        if (ObjectPlace.isPlace(entry)) {
            return ObjectPlace.parse(entry).toString();
        }
        String small = entry.strip().toLowerCase(Locale.ROOT);
        if (!ENTRY.matcher(small).matches()) {
            throw new InvalidInputException(
                    "expected a host such as data.example.org, 10.0.0.5:8080 or *.example.org, without http:// and without a path, or a bucket such as s3://data, found \"%s\""
                            .formatted(entry));
        }
        return small;
    }

    /** The entry that names an address' own host in so many words. */
    public static String entryOf(URI address) {
        return host(address) + (address.getPort() < 0 ? "" : ":" + address.getPort());
    }

    /**
     * Throws if an address may not be read.
     *
     * @param remedy how a host is allowed, with {@code HOST} for it; empty if it can't be
     */
    void require(URI address, String remedy) {
        if (entries.stream().noneMatch(entry -> matches(entry, address))) {
            String own = entryOf(address);
            throw new InvalidInputException(
                    "%s: scripts may read nothing from %s here (%s)%s"
                            .formatted(
                                    address,
                                    own,
                                    allowed("no host is allowed"),
                                    remedy.isEmpty()
                                            ? "; fetch the file and name it"
                                            : "; allow it: " + remedy.replace("HOST", own)));
        }
    }

    /**
     * Throws if objects may not be read, or written.
     *
     * @param remedy as for addresses
     */
    void require(ObjectName name, boolean write, String remedy) {
        boolean isAllowed =
                entries.stream()
                        .filter(ObjectPlace::isPlace)
                        .map(ObjectPlace::parse)
                        .anyMatch(place -> place.covers(name, write));
        if (!isAllowed) {
            String own = ObjectPlace.of(name, write).toString();
            throw new InvalidInputException(
                    "%s: scripts may %s here (%s)%s"
                            .formatted(
                                    name,
                                    write ? "not write that object" : "not read that object",
                                    allowed("no bucket is allowed"),
                                    remedy.isEmpty()
                                            ? ""
                                            : "; allow its folder: "
                                                    + remedy.replace("HOST", own)));
        }
    }

    private String allowed(String none) {
        return entries.isEmpty() ? none : "allowed: " + String.join(", ", entries);
    }

    /**
     * Throws if an address leads into the own network and no entry names its host in so many words.
     * The system's answer stays in the JDK's cache for as long as connecting takes, so that a name
     * can't lead elsewhere by then.
     */
    void requireReachable(URI address) {
        String host = host(address);
        boolean named =
                entries.stream()
                        .anyMatch(entry -> !entry.startsWith("*") && matches(entry, address));
        try {
            for (InetAddress one : InetAddress.getAllByName(address.getHost())) {
                if (!named && isInside(one)) {
                    throw new InvalidInputException(
                            "%s: %s has the address %s, which is one of the own network; it is read only where its host is allowed by name, not by *"
                                    .formatted(address, host, one.getHostAddress()));
                }
            }
        } catch (UnknownHostException unknown) {
            throw new InvalidInputException(
                    "%s: there is no host %s; check its name".formatted(address, host), unknown);
        }
    }

    private static boolean matches(String entry, URI address) {
        String host = host(address);
        int usual = "https".equalsIgnoreCase(address.getScheme()) ? HTTPS_PORT : HTTP_PORT;
        int port = address.getPort() < 0 ? usual : address.getPort();
        if (ObjectPlace.isPlace(entry)) {
            return false;
        }
        if (entry.equals("*")) {
            return true;
        }
        int colon = entry.endsWith("]") ? -1 : entry.lastIndexOf(':');
        String name = colon < 0 ? entry : entry.substring(0, colon);
        int wanted = colon < 0 ? usual : Integer.parseInt(entry.substring(colon + 1));
        boolean sameHost =
                name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name);
        return sameHost && port == wanted;
    }

    private static String host(URI address) {
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    /** Whether an address is no public one. */
    static boolean isInside(InetAddress address) {
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xFF;
        int second = bytes[1] & 0xFF;
        boolean isShort = bytes.length == 4;
        boolean isCarriers = isShort && first == 100 && (second & 0xC0) == 64;
        boolean isReserved = isShort && (first == 0 || first >= 240);
        boolean isTest = isShort && first == 198 && (second & 0xFE) == 18;
        boolean isUnique = !isShort && (first & 0xFE) == 0xFC;
        boolean isTranslated = !isShort && first == 0 && second == 0x64;
        return isCarriers
                || isReserved
                || isTest
                || isUnique
                || isTranslated
                || address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress();
    }
}
