package org.starling.compute.internal.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.graph.JobCancelledException;
import org.starling.net.NativeMemory;
import org.starling.store.StoreNode;

/**
 * A slave that receives, as it is, among simulated ones that send. They step in any order that the
 * master's barriers allow, and blocks take any time: only those of one sender stay in their order.
 * A model says what the slave must find in each superstep.
 */
final class SlavesInDisorder implements AutoCloseable {
    private static final int SENDERS = 4;
    private static final int VERTICES = 64 * SENDERS;
    private static final int SUPERSTEPS = 12;
    private static final int MAX_STEPS = 100_000;

    /** Seeded bugs, with the seed that finds each first. */
    enum Fault {
        NONE(0),
        /** Arrivals are counted in one total for all supersteps. */
        ONE_TOTAL(1),
        /** Messages are taken for those of the next superstep, whatever they say. */
        NO_SUPERSTEP(1),
        /** A slave goes on when most of the others have delivered. */
        HASTY(1);

        final long seed;

        Fault(long seed) {
            this.seed = seed;
        }
    }

    private enum At {
        DONE,
        MESSAGES,
        DELIVERY,
        COMPUTE
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Block(int superstep, byte kind, int channel, long[] records) {}

    private static final class Sender {
        private final Queue<Block> underWay = new ArrayDeque<>();
        private int superstep = -1;
        private At at = At.DONE;
    }

    /** What the slave must find in a superstep. */
    private static final class Model {
        private final long[] sums = new long[VERTICES];
        private final boolean[] received = new boolean[VERTICES];
        private final long[] broadcasts = new long[VERTICES];
        private final int[] mirrored = new int[VERTICES];
        private long messages;
    }

    private final Random random;
    private final Fault fault;
    private final ReceivingRun run;
    private final StopSign probe = new StopSign();
    private final List<Sender> senders = new ArrayList<>();
    private final Model[] models = new Model[SUPERSTEPS + 2];
    private final boolean[] delivers = new boolean[SUPERSTEPS + 1];
    private final int[] mirror = new int[VERTICES];
    private final int slow;
    private int issued;
    private int superstep = -1;
    private At at = At.DONE;
    private long total;

    SlavesInDisorder(StoreNode store, long seed, Fault fault) {
        this.random = new Random(seed);
        this.fault = fault;
        this.run = new ReceivingRun(store, VERTICES);
        this.slow = random.nextInt(SENDERS);
        probe.raise(); // so that waiting only looks
        for (int i = 0; i < SENDERS; i++) {
            senders.add(new Sender());
        }
        Arrays.setAll(models, _ -> new Model());
        for (int s = 1; s < delivers.length; s++) {
            delivers[s] = random.nextInt(3) > 0;
        }
        Arrays.fill(mirror, -1);
    }

    /** Runs to the end; returns the blocks that were received. */
    long live() {
        long blocks = 0;
        for (int step = 0; superstep < SUPERSTEPS - 1 || at != At.DONE; step++) {
            if (step == MAX_STEPS) {
                throw new AssertionError("superstep " + superstep + " waits in vain at " + at);
            }
            int who = random.nextInt(SENDERS + 1);
            if (who == SENDERS) {
                step();
            } else if (random.nextBoolean()) {
                step(who);
            } else if (who != slow || random.nextInt(6) == 0) {
                Block block = senders.get(who).underWay.poll();
                if (block != null) {
                    receive(block);
                    blocks++;
                }
            }
            boolean allDone = at == At.DONE && superstep == issued;
            for (Sender sender : senders) {
                allDone &= sender.at == At.DONE && sender.superstep == issued;
            }
            issued += allDone ? 1 : 0;
        }
        return blocks;
    }

    // those who send

    private void step(int number) {
        Sender sender = senders.get(number);
        switch (sender.at) {
            case DONE -> {
                if (sender.superstep < issued && issued < SUPERSTEPS) {
                    sender.superstep++;
                    sender.at = At.MESSAGES;
                }
            }
            case MESSAGES -> {
                if (delivers[sender.superstep]) {
                    deliver(number, sender);
                }
                sender.at = At.DELIVERY;
            }
            case DELIVERY -> sender.at = hasAllDelivered(sender.superstep) ? At.COMPUTE : sender.at;
            case COMPUTE -> {
                compute(sender);
                sender.at = At.DONE;
            }
        }
    }

    private boolean hasAllDelivered(int which) {
        boolean told = superstep > which || (superstep == which && at != At.MESSAGES);
        for (Sender sender : senders) {
            told &= sender.superstep == which && sender.at != At.MESSAGES;
        }
        return told || !delivers[which];
    }

    /** Pushes, broadcasts and publishes; then says so. */
    private void deliver(int number, Sender sender) {
        Model model = models[sender.superstep];
        for (int left = random.nextInt(4); left > 0; left--) {
            int vertex = 64 * number + random.nextInt(64);
            long value = 1L + random.nextInt(1_000);
            switch (random.nextInt(3)) {
                case 0 -> send(sender, model, sender.superstep, BlockLayout.PUSHED);
                case 1 -> {
                    if (model.broadcasts[vertex] == 0) {
                        model.broadcasts[vertex] = value;
                        add(sender, sender.superstep, BlockLayout.PUBLISHED, vertex, value);
                    }
                }
                default -> {
                    model.mirrored[vertex] = (int) value;
                    add(sender, sender.superstep, BlockLayout.MIRROR, vertex, value);
                }
            }
        }
        add(sender, sender.superstep, BlockLayout.DELIVERED);
    }

    private void compute(Sender sender) {
        for (int left = random.nextInt(4); left > 0; left--) {
            Model next = models[sender.superstep + 1];
            next.messages += send(sender, next, sender.superstep + 1, BlockLayout.MESSAGES);
        }
    }

    private int send(Sender sender, Model model, int receiving, byte kind) {
        long[] records = new long[2 * (1 + random.nextInt(5))];
        for (int i = 0; i < records.length; i += 2) {
            records[i] = random.nextInt(VERTICES);
            records[i + 1] = 1L + random.nextInt(1_000);
            model.sums[(int) records[i]] += records[i + 1];
            model.received[(int) records[i]] = true;
        }
        add(sender, receiving, kind, records);
        return records.length / 2;
    }

    private static void add(Sender sender, int receiving, byte kind, long... records) {
        sender.underWay.add(new Block(receiving, kind, 0, records));
    }

    // the one that receives

    private void receive(Block block) {
        long[] records = block.records;
        switch (block.kind) {
            case BlockLayout.MESSAGES, BlockLayout.PUSHED -> {
                for (int i = 0; i < records.length; i += 2) {
                    run.message(i / 2, records[i], records[i + 1]);
                }
                int count = records.length / 2;
                total += block.kind == BlockLayout.MESSAGES ? count : 0;
                boolean lies = fault == Fault.NO_SUPERSTEP && block.kind == BlockLayout.MESSAGES;
                int said = lies ? superstep + 1 : block.superstep;
                run.receive(said, block.kind, block.channel, count, 12 * count);
            }
            case BlockLayout.DELIVERED -> run.receive(block.superstep, block.kind, 0, 0, 0);
            default -> {
                int bytes = block.kind == BlockLayout.MIRROR ? Integer.BYTES : Long.BYTES;
                run.word(records[0] >>> Bitmap.WORD_SHIFT, 1L << records[0]);
                NativeMemory.putLong(run.block + BlockLayout.HEADER_BYTES + 16, records[1]);
                run.receive(block.superstep, block.kind, block.channel, 1, 16 + bytes);
            }
        }
    }

    private void step() {
        switch (at) {
            case DONE -> {
                if (superstep < issued && issued < SUPERSTEPS) {
                    run.receiver.enter(++superstep);
                    at = At.MESSAGES;
                }
            }
            case MESSAGES -> {
                if (hasTakenMessages()) {
                    run.context
                            .channels
                            .getFirst()
                            .published(superstep)
                            .broadcasters
                            .clear(0, SENDERS);
                    at = delivers[superstep] ? At.DELIVERY : At.COMPUTE;
                }
            }
            case DELIVERY -> {
                long wanted = fault == Fault.HASTY ? SENDERS - 1 : SENDERS;
                at = hasTaken(run.receiver.deliveries(), wanted) ? At.COMPUTE : at;
            }
            case COMPUTE -> {
                look(models[superstep]);
                run.context.channels.getFirst().inbox(superstep).clear(0, SENDERS);
                at = At.DONE;
            }
        }
    }

    private boolean hasTakenMessages() {
        long wanted = models[superstep].messages;
        if (fault != Fault.ONE_TOTAL) {
            return hasTaken(run.receiver.messages(), wanted);
        }
        boolean enough = total >= wanted;
        total -= enough ? wanted : 0;
        return enough;
    }

    private boolean hasTaken(Arrivals arrivals, long wanted) {
        try {
            arrivals.take(superstep, wanted, probe, ReceivingRun.CONNECTED);
            return true;
        } catch (JobCancelledException notYet) {
            return false;
        }
    }

    private void look(Model model) {
        Channel channel = run.context.channels.getFirst();
        for (int v = 0; v < VERTICES; v++) {
            mirror[v] = model.mirrored[v] != 0 ? model.mirrored[v] : mirror[v];
            require(channel.inbox(superstep).has(v) == model.received[v], "who received", v);
            require(channel.inbox(superstep).value(v) == model.sums[v], "the sum", v);
            Published published = channel.published(superstep - 1);
            boolean broadcast = published.broadcasters.has(v);
            require(broadcast == (model.broadcasts[v] != 0), "who broadcast", v);
            require(!broadcast || published.value(v) == model.broadcasts[v], "the broadcast", v);
            require((int) run.context.mirrors.getFirst().read(v) == mirror[v], "the mirror", v);
        }
    }

    private void require(boolean right, String what, int vertex) {
        if (!right) {
            throw new AssertionError(
                    what + " is wrong at vertex " + vertex + " in superstep " + superstep);
        }
    }

    @Override
    public void close() {
        run.close();
    }
}
