package org.starling.store.internal.node;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.store.ChunkId;
import org.starling.store.NameService;
import org.starling.store.internal.directory.Command;

/** The names that the directory keeps. Any thread but receiving ones. Immutable. */
final class DirectoryNames implements NameService {
    private final DirectoryClient directory;

    DirectoryNames(DirectoryClient directory) {
        this.directory = directory;
    }

    @Override
    public void register(String name, long id) {
        checkName(name);
        if (id == ChunkId.NONE) {
            throw new IllegalArgumentException("a name is given to a chunk, not to none");
        }
        directory.require(new Command.RegisterName(name, id, DirectoryClient.nonce()));
    }

    @Override
    public boolean compareAndSet(String name, long expected, long id) {
        checkName(name);
        if (id == ChunkId.NONE || id == expected) {
            throw new IllegalArgumentException("a name moves to another chunk, not to none");
        }
        return directory.changed(new Command.MoveName(name, expected, id, DirectoryClient.nonce()));
    }

    @Override
    public long lookup(String name) {
        checkName(name);
        return directory.ask(new DirectoryQuery.Lookup(name), DirectoryReply.LookedUp.class).id();
    }

    @Override
    public boolean remove(String name) {
        checkName(name);
        return directory.changed(new Command.RemoveName(name, DirectoryClient.nonce()));
    }

    @Override
    public Map<String, Long> list() {
        return listFrom("", "");
    }

    @Override
    public Map<String, Long> list(String prefix) {
        checkName(prefix);
        return listFrom(prefix, prefix);
    }

    /** Names behind one in order, as long as they begin in this way. */
    private Map<String, Long> listFrom(String before, String prefix) {
        Map<String, Long> all = new LinkedHashMap<>();
        String after = before;
        DirectoryReply.Names part;
        do {
            part = directory.ask(new DirectoryQuery.ListNames(after), DirectoryReply.Names.class);
            for (int i = 0; i < part.names().length; i++) {
                after = part.names()[i];
                if (!after.startsWith(prefix)) {
                    return all;
                }
                all.put(after, part.ids()[i]);
            }
        } while (part.names().length == DirectoryReply.MAX_NAMES);
        return all;
    }

    private static void checkName(String name) {
        int bytes;
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            bytes = utf8.remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "a name is valid text; this one has half a surrogate pair", e);
        }
        if (bytes == 0 || bytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "a name has 1 to " + MAX_NAME_BYTES + " bytes of UTF-8, not " + bytes);
        }
    }
}
