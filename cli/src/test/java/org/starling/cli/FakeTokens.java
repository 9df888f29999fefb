package org.starling.cli;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;
import org.starling.compute.access.AuditLog;
import org.starling.compute.access.SessionSeal;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiAccess;
import org.starling.compute.cluster.EndpointTls;
import org.starling.compute.cluster.SuperpeerTokens;
import org.starling.store.AccessRegistry;

/** Tokens as superpeers take them, over a map in the place of a directory. Any thread. */
public final class FakeTokens implements AccessRegistry {
    private final Map<String, byte[]> grants = new TreeMap<>();

    private FakeTokens() {}

    /** Those of a cluster whose folder holds a token. */
    public static SuperpeerTokens of(AccessToken owner) {
        return of(owner, InstantSource.system());
    }

    /** The same with another clock. */
    public static SuperpeerTokens of(AccessToken owner, InstantSource clock) {
        return new SuperpeerTokens(new FakeTokens(), owner, clock, System::nanoTime);
    }

    /**
     * What an endpoint needs to let the owner in.
     *
     * @param folder of the audit log
     */
    public static ApiAccess access(AccessToken owner, Path folder) {
        return access(of(owner), new AuditLog(folder, InstantSource.system()), null);
    }

    /** Of a superpeer that knows of no other one. */
    public static ApiAccess access(AccessGate gate, AuditLog audit, @Nullable EndpointTls tls) {
        return new ApiAccess(gate, audit, tls, SessionSeal.fresh(), List.of());
    }

    @Override
    public synchronized boolean grant(String name, byte[] grant) {
        return grants.putIfAbsent(name, grant.clone()) == null;
    }

    @Override
    public synchronized boolean revoke(String name) {
        return grants.remove(name) != null;
    }

    @Override
    public synchronized Map<String, byte[]> grants() {
        return new TreeMap<>(grants);
    }
}
