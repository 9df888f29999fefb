package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.replica.ZoneDirectory;

class DiskNewsTest {
    private final List<Command> told = new ArrayList<>();
    private final CompletableFuture<Result> answer = new CompletableFuture<>();

    /** Answers commands when it is told to. */
    private final class SlowDirectory implements ZoneDirectory {
        @Override
        public CompletableFuture<Result> apply(Command command) {
            told.add(command);
            return answer;
        }

        @Override
        public CompletableFuture<ZoneInfo> zone(long zone) {
            throw new AssertionError("not asked");
        }

        @Override
        public CompletableFuture<List<ZoneInfo>> zonesOf(int node) {
            throw new AssertionError("not asked");
        }

        @Override
        public CompletableFuture<long[]> dropped(long[] zones) {
            throw new AssertionError("not asked");
        }

        @Override
        public CompletableFuture<Integer> chooseBackup(long zone, List<Integer> avoided) {
            throw new AssertionError("not asked");
        }
    }

    @Test
    void tellsWhatHasBecomeOfItMeanwhile() {
        try (DiskNews news = new DiskNews(3, new SlowDirectory())) {
            news.tell(true);
            news.tell(false);
            answer.complete(new Result.Done(true));

            assertThat(told)
                    .containsExactly(new Command.NoteDisk(3, true), new Command.NoteDisk(3, false));
        }
    }

    @Test
    void triesNoMoreWhenItsNodeHasEnded() {
        DiskNews news = new DiskNews(3, new SlowDirectory());
        news.tell(true);
        news.tell(false);
        news.close();
        answer.complete(new Result.Done(true));

        assertThat(told).containsExactly(new Command.NoteDisk(3, true));
    }
}
