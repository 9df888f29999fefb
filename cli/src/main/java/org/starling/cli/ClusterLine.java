package org.starling.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.ClusterTrust;
import org.starling.compute.cluster.LocalCluster;

/** Options that say which running cluster is meant. */
final class ClusterLine {
    static final String DATA = "data";
    static final String CLUSTER = "cluster";
    private static final String TOKEN = "token";
    private static final String AUTHORITY = "ca";
    private static final String CERTIFICATE = "certificate";
    private static final String AUTHORITY_VARIABLE = "STARLING_CA";
    private static final String CERTIFICATE_VARIABLE = "STARLING_CERTIFICATE";

    /** The variable of the environment that may hold the token instead. */
    private static final String TOKEN_VARIABLE = "STARLING_TOKEN";

    /** Finds the service of the cluster that a command line means. */
    @FunctionalInterface
    interface Finder {
        /**
         * The service.
         *
         * @throws ClusterException if there is none
         */
        ClusterService find(CommandLine line, Terminal terminal);
    }

    private ClusterLine() {}

    static Options addTo(Options options) {
        return Command.with(
                options,
                Command.valued(
                        CLUSTER,
                        "URL",
                        "address of a superpeer's REST interface (default: the cluster in --data)"),
                Command.valued(
                        TOKEN,
                        "FILE",
                        "token for --cluster (default: the one of the cluster in --data, or the text in the variable %s)"
                                .formatted(TOKEN_VARIABLE)),
                Command.valued(
                        AUTHORITY,
                        "FILE",
                        "authority that the superpeers' certificates are checked by, for https (default: %s, else authority.crt.pem beside the token's file, else whom Java trusts)"
                                .formatted(AUTHORITY_VARIABLE)),
                Command.valued(
                        CERTIFICATE,
                        "FILE",
                        "NAME.crt.pem, to be shown to superpeers that ask for one, with NAME.key.pem beside it (default: %s, else none)"
                                .formatted(CERTIFICATE_VARIABLE)),
                dataOption(),
                ClusterOptionsLine.configOption());
    }

    static Option dataOption() {
        return Command.valued(
                DATA,
                "DIR",
                "folder of the cluster (default: dataDirectory of the configuration, %s)"
                        .formatted(Settings.DATA_DIRECTORY.otherwise()));
    }

    /** The folder of the cluster that is meant. */
    static Path folder(CommandLine line, Terminal terminal, Settings settings) {
        return terminal.file(line.getOptionValue(DATA, settings.get(Settings.DATA_DIRECTORY)));
    }

    /** The service over REST. */
    static ClusterService find(CommandLine line, Terminal terminal) {
        String url = line.getOptionValue(CLUSTER);
        if (url != null) {
            return named(address(url), line, terminal);
        }
        Path folder = folder(line, terminal, ClusterOptionsLine.configured(line, terminal));
        return LocalCluster.find(folder)
                .filter(LocalCluster::isRunning)
                .orElseThrow(() -> noCluster(folder, "--data or --cluster"))
                .client();
    }

    /**
     * A cluster by its address: with the token that is named; else the environment's; else that of
     * the cluster in the folder, if that is it.
     */
    private static ClusterService named(URI address, CommandLine line, Terminal terminal) {
        String file = line.getOptionValue(TOKEN);
        String text = System.getenv(TOKEN_VARIABLE);
        if (file != null) {
            Path token = terminal.file(file);
            return new ClusterClient(
                    List.of(address),
                    AccessToken.read(token),
                    trust(address, line, terminal, token.resolveSibling(".")));
        }
        if (text != null) {
            AccessToken token = AccessToken.of(text.strip(), "the variable " + TOKEN_VARIABLE);
            return new ClusterClient(List.of(address), token, trust(address, line, terminal, null));
        }
        Path folder = folder(line, terminal, ClusterOptionsLine.configured(line, terminal));
        return LocalCluster.find(folder)
                .flatMap(cluster -> cluster.client(address))
                .orElseThrow(() ->
                        new UsageException(
                                "%s asks for its token: name the file with --token (\"token\" in the cluster's folder), or set %s"
                                        .formatted(address, TOKEN_VARIABLE)));
    }

    /**
     * By what a cluster is known.
     *
     * @param beside folder of the token's file; null for none
     */
    private static ClusterTrust trust(
            URI address, CommandLine line, Terminal terminal, @Nullable Path beside) {
        boolean secure = "https".equals(address.getScheme());
        for (String option : List.of(AUTHORITY, CERTIFICATE)) {
            if (line.hasOption(option) && !secure) {
                throw new UsageException(
                        "--%s is for addresses of https, and %s is none"
                                .formatted(option, address));
            }
        }
        if (!secure) {
            return ClusterTrust.USUAL;
        }
        Path authority = file(line, AUTHORITY, AUTHORITY_VARIABLE, terminal);
        if (authority == null && beside != null) {
            Path found = ClusterTrust.authorityIn(beside).normalize();
            authority = Files.exists(found) ? found : null;
        }
        return new ClusterTrust(authority, file(line, CERTIFICATE, CERTIFICATE_VARIABLE, terminal));
    }

    private static @Nullable Path file(
            CommandLine line, String option, String variable, Terminal terminal) {
        String name = line.getOptionValue(option, System.getenv(variable));
        return name == null ? null : terminal.file(name);
    }

    static ClusterException noCluster(Path folder, String options) {
        return new ClusterException(
                "no cluster is running in %s; start one with \"starling cluster start\", or name one with %s"
                        .formatted(folder, options));
    }

    private static URI address(String text) {
        try {
            URI url = new URI(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (web && url.getHost() != null && url.getPort() <= Settings.MAX_PORT) {
                return url;
            }
        } catch (URISyntaxException wrong) {
            throw noAddress(text);
        }
        throw noAddress(text);
    }

    private static UsageException noAddress(String text) {
        return new UsageException(
                "--cluster wants an address like http://127.0.0.1:7500 or https://alpha:7500, found \""
                        + text
                        + "\"");
    }
}
