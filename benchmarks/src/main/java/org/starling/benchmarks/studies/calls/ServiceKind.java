package org.starling.benchmarks.studies.calls;

import java.util.concurrent.atomic.AtomicLong;

/** The services that studies call; named, so that a process can be told which to offer. */
public enum ServiceKind {
    /** Answers each call by its {@link CallPattern}. */
    PATTERNS {
        @Override
        public Service create() {
            return call -> call.pattern().answer(call);
        }
    },
    /**
     * A master: adds up the first numbers of all calls, the results of its workers, and hands the
     * number of the next task out. With a second number that is not zero nothing is handed out, and
     * the answer is the sum, which starts anew.
     */
    MASTER {
        @Override
        public Service create() {
            AtomicLong tasks = new AtomicLong();
            AtomicLong sum = new AtomicLong();
            return call -> {
                sum.addAndGet(call.first());
                return Answer.of(call.second() == 0 ? tasks.incrementAndGet() : sum.getAndSet(0));
            };
        }
    };

    /** A fresh one. */
    public abstract Service create();
}
