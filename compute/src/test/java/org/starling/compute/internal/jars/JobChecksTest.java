package org.starling.compute.internal.jars;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.protocol.JarMessage.CheckJob;
import org.starling.compute.internal.protocol.JarMessage.JobVerdict;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.net.Responder;

final class JobChecksTest {
    private static final int JOBS = 5 * JobChecks.MAX_CHECKS;

    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    @Test
    void letsJobsThatComeTogetherWaitForTheirTurn() throws InterruptedException {
        JobChecks checks = new JobChecks(this::judge, null);

        for (int i = 0; i < JOBS; i++) {
            checks.take(question(i), new Noted());
        }
        held.countDown();

        for (int i = 0; i < JOBS; i++) {
            assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo("good");
        }
        assertThat(mostAtOnce.get()).isLessThanOrEqualTo(JobChecks.MAX_CHECKS);
    }

    @Test
    void sendsAJobAwayWhoseTurnDoesNotCome() throws InterruptedException {
        JobChecks checks = new JobChecks(this::judge, null);

        for (int i = 0; i <= JobChecks.MAX_CHECKS; i++) {
            checks.take(question(i), new Noted());
        }

        assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo("too many jobs are being checked");
        held.countDown();
        for (int i = 0; i < JobChecks.MAX_CHECKS; i++) {
            assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo("good");
        }
    }

    private Verdict judge(QueuedJob job) {
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        try {
            held.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        atOnce.decrementAndGet();
        return new Verdict("good", null, List.of());
    }

    private static CheckJob question(int number) {
        JobRequest request =
                new JobRequest(
                        "job " + number, "{}", Map.of(), false, Path.of("/").toAbsolutePath());
        return new CheckJob(new QueuedJob(request, List.of(), List.of()).json());
    }

    private final class Noted implements Responder<JobVerdict> {
        @Override
        public void respond(JobVerdict response) {
            answers.add(Verdict.parse(response.verdict()).nameOfGood());
        }

        @Override
        public void fail(Throwable cause) {
            answers.add(String.valueOf(cause.getMessage()));
        }
    }
}
