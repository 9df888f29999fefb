package org.starling.compute.internal.group;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.starling.store.ChunkId;
import org.starling.store.NameService;

/** Names of a node; subclasses do some things in another way. */
class ForwardingNames implements NameService {
    private final NameService names;

    ForwardingNames(NameService names) {
        this.names = names;
    }

    /** Names of chunks that are made are noted in another way. */
    static NameService noting(NameService names, Consumer<Runnable> note) {
        return new ForwardingNames(names) {
            @Override
            public boolean compareAndSet(String name, long expected, long id) {
                if (expected != ChunkId.NONE) {
                    return super.compareAndSet(name, expected, id);
                }
                AtomicBoolean done = new AtomicBoolean();
                note.accept(() -> done.set(super.compareAndSet(name, expected, id)));
                return done.get();
            }
        };
    }

    @Override
    public void register(String name, long id) {
        names.register(name, id);
    }

    @Override
    public boolean compareAndSet(String name, long expected, long id) {
        return names.compareAndSet(name, expected, id);
    }

    @Override
    public long lookup(String name) {
        return names.lookup(name);
    }

    @Override
    public boolean remove(String name) {
        return names.remove(name);
    }

    @Override
    public Map<String, Long> list() {
        return names.list();
    }

    @Override
    public Map<String, Long> list(String prefix) {
        return names.list(prefix);
    }
}
