package org.starling.compute.internal.structure;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.structure.Head.Root;
import org.starling.compute.internal.structure.StructureType.Kind;
import org.starling.graph.ElementType;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.StoredList;
import org.starling.graph.StoredMap;
import org.starling.graph.StoredTable;
import org.starling.graph.StoredValue;
import org.starling.graph.Structures;
import org.starling.store.ChunkId;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.NameService;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * The structures of one job, as its master sees them. The head of one lies under {@code
 * structure/JOB/NAME}, with the job that made it; of one that is kept, {@code kept-structure/NAME}
 * leads to that job's number. What a task changes is committed at its end; what the commit before
 * had, stays until the task is committed itself. Confined to the job's thread.
 */
public final class JobStructures implements Structures {
    private static final Logger LOG = LogManager.getLogger(JobStructures.class);
    private static final String OWN = "structure/";
    private static final String KEPT = "kept-structure/";
    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.+@ -]{0,127}";

    /** Structures that a job may have open at once. */
    private static final int MAX_OPEN = 1000;

    /** Only one session of this process removes chunks at a time. */
    private static final Object REMOVAL = new Object();

    private final StoreNode store;
    private final long job;
    private final IntSupplier task;
    private final Runnable check;
    private final Sweep sweep;
    private final PageStore pages;
    private final Heads heads;

    /** By name; those of the task under way. */
    private final Map<String, Opened> opened = new LinkedHashMap<>();

    /** Paths of what the task under way has committed, until that is settled. */
    private final Set<String> committed = new TreeSet<>();

    /** Kept names that the task under way has taken. */
    private final Set<String> taken = new TreeSet<>();

    /** Whether the job has ever had a structure; otherwise its end has nothing to look for. */
    private boolean used;

    /** Runs a program over pages, on the peers. */
    public interface Sweep {
        /**
         * Runs it.
         *
         * @param chunks of the pages
         * @param tokens that they bear
         * @return for each page the rows that came of it, each with its length before it
         */
        List<byte[]> run(
                String program,
                Parameters parameters,
                StructureType type,
                StructureType into,
                long[] chunks,
                long[] tokens);
    }

    /**
     * The structures of a job.
     *
     * @param job its number; 0 if the master is no cluster's
     * @param task number of the task under way
     * @param check throws if the job was cancelled
     */
    public JobStructures(StoreNode store, long job, IntSupplier task, Runnable check, Sweep sweep) {
        this.store = store;
        this.job = job;
        this.task = task;
        this.check = check;
        this.sweep = sweep;
        this.pages = new PageStore(store);
        this.heads = new Heads(store, pages);
    }

    // what tasks do

    @Override
    public <K, V> StoredMap<K, V> map(String name, ElementType<K> keys, ElementType<V> values) {
        return new View(promised()).map(name, keys, values);
    }

    @Override
    public <V> StoredList<V> list(String name, ElementType<V> values) {
        return new View(promised()).list(name, values);
    }

    @Override
    public StoredTable table(String name, List<StoredTable.Column> columns) {
        return new View(promised()).table(name, columns);
    }

    @Override
    public <V> StoredValue<V> value(String name, ElementType<V> type) {
        return new View(promised()).value(name, type);
    }

    @Override
    public Structures with(Durability durability) {
        if (durability.compareTo(promised()) > 0) {
            throw new JobFailedException("structures can't survive that here: " + store.promise());
        }
        return new View(durability);
    }

    @Override
    public void keep(String name) {
        Opened one = existing(name);
        if (one.isKeeping()) {
            return;
        }
        Head head = heads.read(one.path()).orElseThrow(() -> none(name));
        if (job != 0 && head.durability() != Durability.POWER) {
            throw new JobFailedException(
                    "structure \"%s\" can't be kept: it was made for less than %s, and %s"
                            .formatted(name, Durability.POWER, store.promise()));
        }
        take(name);
        one.keep();
    }

    @Override
    public void drop(String name) {
        Opened one = existing(name);
        one.toChange();
        one.drop();
    }

    @Override
    public List<String> names() {
        TreeSet<String> names = new TreeSet<>();
        for (String path : store.names().list().keySet()) {
            if (path.startsWith(own(""))) {
                names.add(path.substring(own("").length()));
            } else if (path.startsWith(KEPT)) {
                names.add(path.substring(KEPT.length()));
            }
        }
        names.removeIf(name -> {
            Opened one = opened.get(name);
            return one == null
                    ? locate(name).filter(path -> isThere(name, path)).isEmpty()
                    : one.isDropping();
        });
        return List.copyOf(names);
    }

    @Override
    public long each(String name, String program, Parameters parameters, StoredTable into) {
        if (!(into instanceof Handles.OfTable table)) {
            throw new IllegalArgumentException("rows go into a table of this job");
        }
        Opened source = existing(name);
        if (source == table.opened()) {
            throw new InvalidInputException(
                    "rows of structure \"%s\" can't go into itself".formatted(name));
        }
        List<Pages.Reference> parts = List.copyOf(source.written());
        long before = table.size();
        List<byte[]> rows =
                sweep.run(
                        program,
                        parameters,
                        source.type(),
                        table.opened().type(),
                        parts.stream().mapToLong(Pages.Reference::chunk).toArray(),
                        parts.stream().mapToLong(Pages.Reference::token).toArray());
        for (byte[] some : rows) {
            for (ByteBuffer in = ByteBuffer.wrap(some); in.hasRemaining(); ) {
                byte[] row = new byte[in.getInt()];
                in.get(row);
                table.append(row);
            }
        }
        return table.size() - before;
    }

    // what the master says

    /** The task has ended well: all that it has changed takes effect. */
    public void commit() {
        try {
            for (Opened one : opened.values()) {
                commit(one);
            }
        } catch (RuntimeException failed) {
            abort();
            throw failed;
        }
        close();
    }

    /** Nobody does the task again. */
    public void settle() {
        for (String path : List.copyOf(committed)) {
            Optional<Head> head = heads.change(path, Head::settled);
            if (head.isPresent() && head.get().dropped()) {
                destroy(path);
            } else {
                removeLeaving(path);
            }
            committed.remove(path);
        }
        taken.clear();
    }

    /** The task has failed: nothing that it has changed stays. */
    public void abort() {
        for (Opened one : opened.values()) {
            if (!committed.contains(one.path())) {
                undo(one.path(), head -> head.undone(job, task.getAsInt()));
            }
        }
        for (String path : committed) {
            undo(path, head -> head.aborted().reverted());
        }
        committed.clear();
        for (String name : taken) {
            boolean isKept = heads.read(own(name)).filter(Head::kept).isPresent();
            if (!isKept) {
                store.names().remove(KEPT + name);
            }
        }
        taken.clear();
        close();
    }

    /** The job is over: what it has not kept goes, and what others have left. */
    public void endJob() {
        if (!used && job == 0) {
            return;
        }
        abort();
        Set<String> names = store.names().list().keySet();
        Set<Long> running = running(); // not before: who has made one of them was running then
        for (String path : names) {
            if (path.startsWith(OWN)) {
                long maker = Long.parseLong(path.split("/", 3)[1]);
                boolean isOver = maker == job || (maker != 0 && !running.contains(maker));
                if (isOver || used) {
                    end(path, isOver);
                }
            }
        }
        used = false;
    }

    private void end(String path, boolean isOver) {
        try {
            Optional<Head> head = heads.change(path, this::withoutUser);
            if (isOver && head.isPresent() && (!head.get().kept() || head.get().dropped())) {
                destroy(path);
            }
        } catch (StoreException | JobFailedException left) {
            LOG.warn("{} is removed later: {}", path, left.getMessage());
        }
    }

    private Head withoutUser(Head head) {
        Set<Long> running = running();
        List<Long> users =
                head.users().stream().filter(u -> u != job && running.contains(u)).toList();
        boolean isFree = head.writer() == job || !running.contains(head.writer());
        return head.withUsers(users, isFree ? 0 : head.writer());
    }

    // private

    private static String own(String name, long maker) {
        return OWN + maker + "/" + name;
    }

    private String own(String name) {
        return own(name, job);
    }

    private Durability promised() {
        return switch (store.promised()) {
            case MEMORY -> Durability.MEMORY;
            case PROCESS -> Durability.PROCESS;
            case POWER -> Durability.POWER;
        };
    }

    private boolean isThere(String name, String path) {
        return heads.read(path)
                .filter(head -> !head.dropped() && (head.kept() || path.equals(own(name))))
                .isPresent();
    }

    private static InvalidInputException none(String name) {
        return new InvalidInputException("there is no structure \"%s\"".formatted(name));
    }

    private Opened open(String name, StructureType type, Durability durability) {
        if (!name.matches(NAME)) {
            throw new InvalidInputException(
                    "\"%s\" is no name of a structure: 1 to 128 letters, digits and _ . + - @ and blanks, the first one a letter, a digit or _"
                            .formatted(name));
        }
        Opened known = opened.get(name);
        if (known != null && known.isDropping()) {
            throw new InvalidInputException(
                    "structure \"%s\" is dropped by this task; a later one can make it anew"
                            .formatted(name));
        }
        if (known == null) {
            Optional<Opened> found = find(name);
            known = found.isPresent() ? found.get() : make(name, type, durability);
        }
        if (!known.type().equals(type)) {
            throw new InvalidInputException(
                    "structure \"%s\" is %s, not %s"
                            .formatted(name, known.type().text(), type.text()));
        }
        return known;
    }

    private Opened existing(String name) {
        Opened known = opened.get(name);
        if (known != null && known.isDropping()) {
            throw none(name);
        }
        return known == null ? find(name).orElseThrow(() -> none(name)) : known;
    }

    private Opened make(String name, StructureType type, Durability durability) {
        used = true;
        String path = own(name);
        if (!heads.create(path, Head.fresh(type, durability))) {
            throw new JobFailedException(
                    "structure \"%s\" has just been made by another master".formatted(name));
        }
        return remember(name, path, heads.read(path).orElseThrow(() -> none(name)));
    }

    private Optional<String> locate(String name) {
        if (store.names().lookup(own(name)) != ChunkId.NONE) {
            return Optional.of(own(name));
        }
        long maker = store.names().lookup(KEPT + name);
        return maker == ChunkId.NONE ? Optional.empty() : Optional.of(own(name, maker - 1));
    }

    private Optional<Opened> find(String name) {
        Optional<String> path = locate(name);
        if (path.isEmpty()) {
            return Optional.empty();
        }
        used = true;
        Optional<Head> head = heads.change(path.get(), before -> enter(name, path.get(), before));
        boolean isThere =
                head.isPresent()
                        && !head.get().dropped()
                        && (head.get().kept() || path.get().equals(own(name)));
        if (!isThere) {
            if (head.isPresent() && head.get().dropped()) {
                destroy(path.get());
            }
            return Optional.empty();
        }
        removeLeaving(path.get());
        return Optional.of(remember(name, path.get(), head.get()));
    }

    /** The head as this task finds it: without what came to nothing, and with the job as a user. */
    private Head enter(String name, String path, Head before) {
        Set<Long> running = running(); // of now: whoever is in the head was running before
        requireFree(name, before.writer(), running);
        Head head = before;
        boolean isOurs = job != 0 && head.job() == job && head.task() >= task.getAsInt();
        boolean wasWriting = head.writer() == 0 || !running.contains(head.writer());
        if (isOurs) {
            head = head.aborted().reverted();
        } else if (head.writer() == job || wasWriting || path.equals(own(name))) {
            head = head.aborted().settled();
        }
        List<Long> users = new ArrayList<>(head.users());
        if (job != 0 && !users.contains(job)) {
            users.add(job);
        }
        return head.withUsers(users, head.writer() == job ? 0 : head.writer());
    }

    private Opened remember(String name, String path, Head head) {
        if (opened.size() >= MAX_OPEN) {
            throw new InvalidInputException(
                    "a task has at most %d structures open".formatted(MAX_OPEN));
        }
        Pages all =
                new Pages(
                        pages,
                        pages.chunks(head.durability()),
                        head.root(),
                        made -> announce(path, made),
                        check);
        Opened one = new Opened(name, path, head.type(), all, () -> requireAlone(name, path));
        if (head.kept()) {
            one.keep();
        }
        opened.put(name, one);
        return one;
    }

    private void announce(String path, List<Span> made) {
        heads.change(path, head -> head.withPending(Head.joined(head.pending(), made)));
    }

    /** Nobody else has it open; from now on nobody else opens it. */
    private void requireAlone(String name, String path) {
        heads.change(
                path,
                head -> {
                    Set<Long> running = running();
                    requireFree(name, head.writer(), running);
                    head.users().forEach(user -> requireFree(name, user, running));
                    return head.withUsers(head.users(), job);
                });
    }

    private void requireFree(String name, long user, Set<Long> running) {
        if (user != 0 && user != job && running.contains(user)) {
            throw new InvalidInputException(
                    "structure \"%s\" is in use by job %d; wait for its end, or cancel it"
                            .formatted(name, user));
        }
    }

    private Set<Long> running() {
        if (job == 0) {
            return Set.of();
        }
        return store.jobs().jobs().stream()
                .filter(info -> info.status() == JobStatus.RUNNING)
                .map(JobInfo::id)
                .collect(Collectors.toSet());
    }

    /** Takes a kept name for a structure of this job. */
    private void take(String name) {
        NameService names = store.names();
        while (!names.compareAndSet(KEPT + name, ChunkId.NONE, job + 1)) {
            long maker = names.lookup(KEPT + name);
            if (maker == job + 1) {
                break;
            }
            boolean isKept =
                    maker != ChunkId.NONE
                            && (running().contains(maker - 1)
                                    || heads.read(own(name, maker - 1))
                                            .filter(Head::kept)
                                            .isPresent());
            if (isKept) {
                throw new InvalidInputException(
                        "structure \"%s\" is kept already; drop it first or take another name"
                                .formatted(name));
            }
            if (maker != ChunkId.NONE) {
                names.compareAndSet(KEPT + name, maker, job + 1);
            }
        }
        taken.add(name);
    }

    private void commit(Opened one) {
        boolean isDropped = one.isDropping();
        boolean isDirty = one.isDirty() && !isDropped;
        Root root = isDirty ? one.write() : null;
        List<Span> superseded = isDirty ? one.superseded() : List.of();
        int at = task.getAsInt();
        boolean isNewlyKept = one.isKeeping() && taken.contains(one.name());
        if (!isDirty && !isDropped && !isNewlyKept) {
            return;
        }
        heads.change(
                one.path(),
                head ->
                        head.committed(
                                        root == null ? head.root() : root,
                                        isDropped ? head.pending() : superseded,
                                        job,
                                        at)
                                .with(one.isKeeping(), isDropped));
        committed.add(one.path());
    }

    private void undo(String path, UnaryOperator<Head> how) {
        try {
            heads.change(path, how);
            removeLeaving(path);
        } catch (StoreException | JobFailedException left) {
            LOG.warn("{} is tidied later: {}", path, left.getMessage());
        }
    }

    private void close() {
        opened.values().forEach(Opened::close);
        opened.clear();
    }

    /** Removes a structure with all its chunks; can be begun again. */
    private void destroy(String path) {
        Optional<Head> head =
                heads.change(
                        path,
                        one -> {
                            Root root = one.root();
                            List<Span> all =
                                    new ArrayList<>(
                                            Pages.spans(Pages.references(pages, root).values()));
                            if (root.chunk() != 0) {
                                all.add(new Span(root.chunk(), 1, root.token()));
                            }
                            return one.emptied(all);
                        });
        if (head.isEmpty()) {
            return;
        }
        removeLeaving(path);
        String[] parts = path.split("/", 3);
        if (store.names().lookup(KEPT + parts[2]) == Long.parseLong(parts[1]) + 1) {
            store.names().remove(KEPT + parts[2]);
        }
        heads.remove(path);
    }

    private void removeLeaving(String path) {
        synchronized (REMOVAL) {
            List<Span> leaving = heads.read(path).map(Head::leaving).orElse(List.of());
            if (leaving.isEmpty()) {
                return;
            }
            Set<Long> firsts = leaving.stream().map(Span::first).collect(Collectors.toSet());
            heads.change(
                    path,
                    head ->
                            head.withLeaving(
                                    head.leaving().stream()
                                            .map(span ->
                                                    firsts.contains(span.first())
                                                            ? span.withClaim()
                                                            : span)
                                            .toList()));
            pages.remove(leaving);
            heads.change(
                    path,
                    head ->
                            head.withLeaving(
                                    head.leaving().stream()
                                            .filter(span -> !firsts.contains(span.first()))
                                            .toList()));
        }
    }

    /** The same structures with a durability of its own. */
    private final class View implements Structures {
        private final Durability durability;

        View(Durability durability) {
            this.durability = durability;
        }

        @Override
        public <K, V> StoredMap<K, V> map(String name, ElementType<K> keys, ElementType<V> values) {
            StructureType type =
                    new StructureType(
                            Kind.MAP, List.of("key", "value"), List.of(keys.name(), values.name()));
            return new Handles.OfMap<>(open(name, type, durability), keys, values);
        }

        @Override
        public <V> StoredList<V> list(String name, ElementType<V> values) {
            StructureType type =
                    new StructureType(Kind.LIST, List.of("value"), List.of(values.name()));
            return new Handles.OfList<>(open(name, type, durability), values);
        }

        @Override
        public StoredTable table(String name, List<StoredTable.Column> columns) {
            StructureType type =
                    new StructureType(
                            Kind.TABLE,
                            columns.stream().map(StoredTable.Column::name).toList(),
                            columns.stream().map(column -> column.type().name()).toList());
            return new Handles.OfTable(open(name, type, durability));
        }

        @Override
        public <V> StoredValue<V> value(String name, ElementType<V> type) {
            StructureType written =
                    new StructureType(Kind.VALUE, List.of("value"), List.of(type.name()));
            return new Handles.OfValue<>(open(name, written, durability), type);
        }

        @Override
        public Structures with(Durability other) {
            return JobStructures.this.with(other);
        }

        @Override
        public void keep(String name) {
            JobStructures.this.keep(name);
        }

        @Override
        public void drop(String name) {
            JobStructures.this.drop(name);
        }

        @Override
        public List<String> names() {
            return JobStructures.this.names();
        }

        @Override
        public long each(String name, String program, Parameters parameters, StoredTable into) {
            return JobStructures.this.each(name, program, parameters, into);
        }
    }
}
