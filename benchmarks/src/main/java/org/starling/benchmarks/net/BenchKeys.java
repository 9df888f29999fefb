package org.starling.benchmarks.net;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.TempFolder;
import org.starling.net.TlsAuthority;
import org.starling.net.TlsOptions;

/**
 * The key with which the nodes of one bench prove who they are, in a folder that lives as long as
 * this object; none if the plan wants no TLS. Child JVMs find it by a flag.
 */
final class BenchKeys implements AutoCloseable {
    private static final String PROPERTY = "starling.bench.keys";
    private static final String NODES = "nodes";

    private final @Nullable TempFolder folder;

    private BenchKeys(@Nullable TempFolder folder) {
        this.folder = folder;
    }

    /** Makes what the plan wants. */
    static BenchKeys of(NetPlan plan) {
        if (!plan.tls()) {
            return new BenchKeys(null);
        }
        TempFolder folder = TempFolder.create("starling-bench-keys");
        TlsOptions made = new TlsAuthority(folder.path()).issue(NODES, 1, plan.nodes());
        assert Files.exists(made.key()) : made;
        return new BenchKeys(folder);
    }

    /** For the Java of child JVMs. */
    List<String> flags() {
        return folder == null ? List.of() : List.of("-D" + PROPERTY + "=" + folder.path());
    }

    /** In a child JVM: the files. */
    static TlsOptions given() {
        String folder = System.getProperty(PROPERTY);
        if (folder == null) {
            throw new IllegalStateException("this JVM was given no keys");
        }
        return TlsAuthority.files(Path.of(folder), NODES);
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
