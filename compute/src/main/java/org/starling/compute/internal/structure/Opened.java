package org.starling.compute.internal.structure;

import java.util.Collection;
import java.util.List;
import org.starling.compute.internal.structure.Head.Root;
import org.starling.graph.ElementType;

/** A structure that a task has opened. Confined to the job's thread. */
final class Opened {
    private final String name;
    private final String path;
    private final StructureType type;
    private final List<ElementType<?>> elements;
    private final Pages pages;
    private final Runnable beforeChange;
    private boolean mayChange;
    private boolean closed;

    /** Whether it is kept, or will be at the end of the task. */
    private boolean keeping;

    private boolean dropping;

    /**
     * Opens it.
     *
     * @param path its name in the directory
     * @param beforeChange makes sure that the job may change it
     */
    Opened(String name, String path, StructureType type, Pages pages, Runnable beforeChange) {
        this.name = name;
        this.path = path;
        this.type = type;
        this.pages = pages;
        this.beforeChange = beforeChange;
        this.elements = type.elements();
    }

    String name() {
        return name;
    }

    String path() {
        return path;
    }

    StructureType type() {
        return type;
    }

    ElementType<?> element(int column) {
        return elements.get(column);
    }

    List<ElementType<?>> elements() {
        return elements;
    }

    boolean isKeeping() {
        return keeping;
    }

    void keep() {
        keeping = true;
    }

    boolean isDropping() {
        return dropping;
    }

    void drop() {
        dropping = true;
        closed = true;
    }

    /** The task has ended. */
    void close() {
        closed = true;
    }

    /** Its entries, to be read. */
    Pages pages() {
        if (closed) {
            throw new IllegalStateException(
                    "structure \"%s\" was dropped, or the task that opened it has ended; open it again"
                            .formatted(name));
        }
        return pages;
    }

    /** Its entries, to be changed. */
    Pages toChange() {
        Pages all = pages();
        if (!mayChange) {
            beforeChange.run();
            mayChange = true;
        }
        return all;
    }

    boolean isDirty() {
        return pages.isDirty();
    }

    Root write() {
        return pages.write();
    }

    List<Span> superseded() {
        return pages.superseded();
    }

    Collection<Pages.Reference> written() {
        return pages().written();
    }
}
