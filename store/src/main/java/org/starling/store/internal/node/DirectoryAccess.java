package org.starling.store.internal.node;

import java.util.Map;
import java.util.TreeMap;
import org.starling.store.AccessRegistry;
import org.starling.store.internal.directory.Command;

/** Who was granted access, as the directory keeps it. Any thread but receiving ones. Immutable. */
final class DirectoryAccess implements AccessRegistry {
    private final DirectoryClient directory;

    DirectoryAccess(DirectoryClient directory) {
        this.directory = directory;
    }

    @Override
    public boolean grant(String name, byte[] grant) {
        return directory.changed(
                new Command.GrantAccess(name, grant.clone(), DirectoryClient.nonce()));
    }

    @Override
    public boolean revoke(String name) {
        return directory.changed(new Command.RevokeAccess(name, DirectoryClient.nonce()));
    }

    @Override
    public Map<String, byte[]> grants() {
        DirectoryReply.GrantsAre reply =
                directory.ask(new DirectoryQuery.Grants(), DirectoryReply.GrantsAre.class);
        Map<String, byte[]> grants = new TreeMap<>();
        for (int i = 0; i < reply.names().length; i++) {
            grants.put(reply.names()[i], reply.grants()[i]);
        }
        return grants;
    }
}
