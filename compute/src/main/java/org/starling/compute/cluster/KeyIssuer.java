package org.starling.compute.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.KeyAuthority;
import org.starling.net.NetException;
import org.starling.net.TlsAuthority;

/**
 * Issues certificates out of the folder that {@link KeyFolder#make} has made: each host and each
 * client gets a folder in it that is copied there whole. A host's is a {@link KeyFolder}, with the
 * cluster's secret and token; a client's has nothing but its certificate. The authority's own key
 * stays. One thread at a time.
 */
public final class KeyIssuer {
    /** How long certificates are valid where nothing else is said. */
    public static final Duration USUAL_VALIDITY = Duration.ofDays(365);

    private static final String NODE = "node";
    private static final String CLIENT = "client";
    private static final int LAST_NODE = 65_535;
    private static final Pattern NAME =
            Pattern.compile(
                    "(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*");

    private final Path folder;
    private final KeyAuthority authority;

    /**
     * The issuer of a folder.
     *
     * @throws InvalidInputException if it holds no authority
     */
    public KeyIssuer(Path folder, InstantSource clock) {
        this.folder = folder;
        if (!KeyAuthority.isIn(folder)) {
            throw new InvalidInputException(
                    "there is no authority in %s that could sign; \"starling keys issue %s --for HOST\" makes one, in a folder that keys init has made"
                            .formatted(folder, folder));
        }
        this.authority = checked(() -> KeyAuthority.open(folder, clock));
    }

    /**
     * Makes the folder of a host, or certificate and key in it anew.
     *
     * @param names by which the others reach the host: names and addresses; the first one names the
     *     folder
     * @param firstNode lowest node id that it may have
     * @param lastNode highest node id that it may have
     * @param validity of the certificate
     * @throws InvalidInputException if a name can't be one, or the folder not be written
     */
    public Path issue(List<String> names, int firstNode, int lastNode, Duration validity) {
        if (firstNode < 0 || firstNode > lastNode || lastNode > LAST_NODE) {
            throw new InvalidInputException(
                    "node ids go from 0 to %d, found %d to %d"
                            .formatted(LAST_NODE, firstNode, lastNode));
        }
        List<String> all = checkedNames(names);
        Path host = subfolder(all.getFirst(), NODE);
        for (String file : List.of(KeyFolder.SECRET, KeyFolder.TOKEN)) {
            copy(folder.resolve(file), host.resolve(file));
        }
        all.add(KeyAuthority.nodeName(firstNode, lastNode));
        checked(() -> authority.issue(host, NODE, all, validity));
        return host;
    }

    /** The folder of a host of that name, if it has been made. */
    public Optional<Path> folderOf(String host) {
        Path made = folder.resolve(host.toLowerCase(Locale.ROOT));
        return kind(made).filter(NODE::equals).map(kind -> made);
    }

    /**
     * Makes the folder of somebody who asks the cluster, or certificate and key in it anew.
     *
     * @throws InvalidInputException if the name can't be one, or the folder not be written
     */
    public Path issueToClient(String name, Duration validity) {
        List<String> names = checkedNames(List.of(name));
        Path client = subfolder(names.getFirst(), CLIENT);
        checked(() -> authority.issue(client, CLIENT, names, validity));
        return client;
    }

    /**
     * Makes all certificates anew, for the same names, by the newest authority.
     *
     * @return names of the folders
     */
    public List<String> rotate(Duration validity) {
        List<String> done = new ArrayList<>();
        for (Path host : folders()) {
            String kind = kind(host).orElseThrow();
            List<String> names =
                    checked(() -> KeyAuthority.names(TlsAuthority.files(host, kind).certificate()));
            checked(() -> authority.issue(host, kind, names, validity));
            done.add(String.valueOf(host.getFileName()));
        }
        return done;
    }

    /**
     * Makes another authority, which signs from now on. All folders trust both.
     *
     * @return names of the folders
     * @throws InvalidInputException if an earlier one is trusted already
     */
    public List<String> renewAuthority() {
        if (authority.count() > 1) {
            throw new InvalidInputException(
                    "an earlier authority is trusted still; when all hosts have certificates of the new one, end that with \"starling keys rotate %s --drop-old\""
                            .formatted(folder));
        }
        checked(() -> {
            authority.renew();
            return authority;
        });
        return tellAll();
    }

    /**
     * Trusts the newest authority alone.
     *
     * @return names of the folders
     * @throws InvalidInputException if there is no earlier one, or a certificate of it
     */
    public List<String> dropEarlierAuthorities() {
        if (authority.count() == 1) {
            throw new InvalidInputException("no earlier authority is trusted in " + folder);
        }
        for (Path host : folders()) {
            Path certificate = TlsAuthority.files(host, kind(host).orElseThrow()).certificate();
            if (!checked(() -> authority.hasSigned(certificate))) {
                throw new InvalidInputException(
                        "%s is of an earlier authority; make it anew first, with \"starling keys rotate %s\", and copy it to its host"
                                .formatted(certificate, folder));
            }
        }
        int _ = checked(authority::forget);
        return tellAll();
    }

    private List<String> tellAll() {
        List<String> told = new ArrayList<>();
        for (Path host : folders()) {
            checked(() -> {
                authority.tell(host);
                return host;
            });
            told.add(String.valueOf(host.getFileName()));
        }
        return told;
    }

    /** What hosts and clients have, by name. */
    private List<Path> folders() {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(one -> kind(one).isPresent()).sorted().toList();
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(folder, "read", unreadable);
        }
    }

    private static Optional<String> kind(Path host) {
        return Stream.of(NODE, CLIENT)
                .filter(kind -> Files.exists(TlsAuthority.files(host, kind).certificate()))
                .findFirst();
    }

    private Path subfolder(String name, String kind) {
        Path made = folder.resolve(name);
        boolean isOther = Files.exists(made) && !kind(made).equals(Optional.of(kind));
        if (isOther) {
            throw new InvalidInputException(
                    "%s is there already and is no folder of a %s; take another name"
                            .formatted(made, kind));
        }
        try {
            ClusterFolder.makePrivate(made);
            return made;
        } catch (IOException refused) {
            throw FileTrouble.refusal(made, "made", refused);
        }
    }

    /** Where a variable of the environment holds the secret, there is no file. */
    private static void copy(Path from, Path to) {
        if (Files.exists(from)) {
            try {
                ClusterFolder.write(to, Files.readString(from));
            } catch (IOException unreadable) {
                throw FileTrouble.refusal(from, "read", unreadable);
            }
        }
    }

    private static List<String> checkedNames(List<String> names) {
        List<String> all = new ArrayList<>();
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT).replaceAll("^\\[(.*)]$", "$1");
            boolean isGood =
                    KeyAuthority.isAddress(lower)
                            ? isLiteral(lower)
                            : NAME.matcher(lower).matches() && !lower.endsWith(".starling");
            if (!isGood) {
                throw new InvalidInputException(
                        "a certificate can't be for \"%s\": expected names of hosts and addresses, like alpha,alpha.example.org,10.0.0.1"
                                .formatted(name));
            }
            all.add(lower);
        }
        if (all.isEmpty()) {
            throw new InvalidInputException("a certificate is for one name at least");
        }
        return all;
    }

    private static boolean isLiteral(String text) {
        try {
            return java.net.InetAddress.ofLiteral(text) != null;
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    private static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        }
    }
}
