package org.starling.compute.internal.group;

import java.util.Map;
import org.starling.store.NameService;

/** Names of a node; subclasses do some things in another way. */
class ForwardingNames implements NameService {
    private final NameService names;

    ForwardingNames(NameService names) {
        this.names = names;
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
