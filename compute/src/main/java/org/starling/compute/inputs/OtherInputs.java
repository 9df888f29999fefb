package org.starling.compute.inputs;

import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.objects.ObjectAccount;
import org.starling.compute.objects.ObjectName;
import org.starling.graph.InvalidInputException;

/**
 * What a script may read beside files, and how it names that: {@code -} for standard input, an
 * address for what a web server holds, {@code s3://BUCKET/KEY} for what an object store does, which
 * results may go to as well. Immutable, but for the stream.
 *
 * @param standardInput of whoever runs the script; null where there is none
 * @param hosts the web servers and buckets that may be asked
 * @param hostRemedy how a host is allowed, with {@code HOST} for it; empty if it can't be
 * @param brought files that may lie on other hosts
 * @param account as whom object stores are asked; looked at when the first is
 */
public record OtherInputs(
        @Nullable InputStream standardInput,
        WebHosts hosts,
        String hostRemedy,
        BroughtFiles brought,
        Supplier<ObjectAccount> account) {
    /** Nothing at all. */
    public static final OtherInputs NONE = new OtherInputs(null, WebHosts.NONE, "");

    /** The name of standard input. */
    public static final String STANDARD_INPUT = "-";

    /** What whoever runs a script here reads. */
    public OtherInputs(@Nullable InputStream standardInput, WebHosts hosts, String hostRemedy) {
        this(standardInput, hosts, hostRemedy, BroughtFiles.HERE, ObjectAccount::ofProcess);
    }

    /** What a cluster reads: it has no standard input. */
    public static OtherInputs ofCluster(WebHosts hosts, BroughtFiles brought) {
        return new OtherInputs(
                null, hosts, "cluster start --allow-url HOST", brought, ObjectAccount::ofProcess);
    }

    /** Whether a name is that of no file. */
    public static boolean isName(String name) {
        return name.equals(STANDARD_INPUT) || isAddress(name) || ObjectName.isName(name);
    }

    /** Whether a name is an address. */
    public static boolean isAddress(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        return small.startsWith("http://") || small.startsWith("https://");
    }

    /**
     * Throws if what a name stands for may not be read; asks nobody.
     *
     * @throws InvalidInputException with the remedy
     */
    public void check(String name) {
        if (ObjectName.isName(name)) {
            hosts.require(ObjectName.parse(name), false, hostRemedy);
        } else if (isAddress(name)) {
            hosts.require(address(name), hostRemedy);
        } else if (standardInput == null) {
            throw new InvalidInputException(
                    "\"-\" is the standard input of whoever runs a script, which a cluster does not see; name a file that the cluster can read, or bring one along (POST /uploads)");
        }
    }

    /**
     * Throws if an object may not be written; asks nobody.
     *
     * @throws InvalidInputException with the remedy
     */
    public ObjectName checkResult(String name) {
        ObjectName object = ObjectName.parse(name);
        if (object.isFolder() || object.isPattern()) {
            throw new InvalidInputException(
                    "\"%s\" names no single object to write; end it in a name without * and ?"
                            .formatted(name));
        }
        hosts.require(object, true, hostRemedy);
        return object;
    }

    /**
     * An address, without what servers never see of it.
     *
     * @throws InvalidInputException if it is none
     */
    public static URI address(String name) {
        URI address;
        try {
            address = new URI(name.replaceFirst("#.*", ""));
        } catch (URISyntaxException wrong) {
            throw new InvalidInputException(
                    "\"%s\" is no address: %s (signs that addresses don't have are written as %%20 and the like)"
                            .formatted(name, wrong.getReason()),
                    wrong);
        }
        if (address.getHost() == null) {
            throw new InvalidInputException("\"%s\" names no host".formatted(name));
        }
        if (address.getRawUserInfo() != null) {
            throw new InvalidInputException(
                    "the address at %s has a name or a password in it, which would stand in reports; fetch that file by hand"
                            .formatted(address.getHost()));
        }
        return address;
    }
}
