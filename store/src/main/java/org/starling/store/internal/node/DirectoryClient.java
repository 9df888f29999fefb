package org.starling.store.internal.node;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.net.Message;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.RemoteException;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.RangeMap;
import org.starling.store.internal.directory.Result;

/**
 * A node's way to the directory: asks the superpeer and waits for its answer. Any thread but
 * receiving ones.
 */
final class DirectoryClient implements NameService {
    private final Network network;
    private final Duration timeout;

    DirectoryClient(Network network, Duration timeout) {
        this.network = network;
        this.timeout = timeout;
    }

    // names

    @Override
    public void register(String name, long id) {
        checkName(name);
        if (id == ChunkId.NONE) {
            throw new IllegalArgumentException("a name is given to a chunk, not to none");
        }
        apply(new Command.RegisterName(name, id));
    }

    @Override
    public long lookup(String name) {
        checkName(name);
        return ask(new NodeMessage.Lookup(name), false).id();
    }

    @Override
    public boolean remove(String name) {
        checkName(name);
        return apply(new Command.RemoveName(name)) instanceof Result.Done done && done.changed();
    }

    @Override
    public Map<String, Long> list() {
        Map<String, Long> all = new LinkedHashMap<>();
        String after = "";
        NodeMessage.Names part;
        do {
            part = ask(new NodeMessage.ListNames(after), false);
            for (int i = 0; i < part.names().length; i++) {
                all.put(part.names()[i], part.ids()[i]);
                after = part.names()[i];
            }
        } while (part.names().length == NodeMessage.MAX_NAMES);
        return all;
    }

    // directory

    /** The owner of a chunk and the ids around it with the same owner. */
    RangeMap.Range locate(long id) {
        return ask(new NodeMessage.Locate(id), false).range();
    }

    /** Has a command carried out; a refusal becomes an exception. */
    Result apply(Command command) {
        Result result = ask(new NodeMessage.Apply(CommandLayout.write(command)), true).result();
        if (result instanceof Result.Refused refused) {
            throw new StoreException("the directory refused: " + refused.reason());
        }
        return result;
    }

    private <R extends Message> R ask(Request<R> request, boolean isWrite) {
        try {
            return network.call(Node.SUPERPEER, request, timeout);
        } catch (RemoteException e) {
            throw new StoreException("the superpeer refused a request: " + e.getMessage(), e);
        } catch (NetException e) {
            throw failure("the superpeer does not answer: " + e.getMessage(), e, isWrite);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted while waiting for the superpeer", e, isWrite);
        }
    }

    private static StoreException failure(String text, Exception cause, boolean isWrite) {
        return isWrite ? new IndeterminateException(text, cause) : new StoreException(text, cause);
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
