package org.starling.compute.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointSink;
import org.starling.compute.GroupName;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.StoreException;

/** Masters that take jobs from one queue, without a store and without an engine. */
@Timeout(60)
final class JobServiceTest {
    @TempDir Path folder;

    private final FakeRegistry registry = new FakeRegistry();
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<JobService> services = new CopyOnWriteArrayList<>();

    /** First number of what each session does, in their order. */
    private final List<Long> numbers = new CopyOnWriteArrayList<>();

    private final CountDownLatch stuck = new CountDownLatch(1);

    /** Why a process is to be replaced. */
    private final CompletableFuture<String> replaced = new CompletableFuture<>();

    /** Lets a task go on that does not look whether it is cancelled. */
    private volatile boolean released;

    /** Most jobs of a group at once. */
    private int maxRunning = 1;

    /** Whether the next look at a group finds no room for objects of Java. */
    private volatile boolean heapIsFull;

    /** Whether there is no room for the next job's thread. */
    private volatile boolean noThread;

    /** Open when a service has asked the directory who leads. */
    private final CountDownLatch asked = new CountDownLatch(1);

    /** The session opened last. */
    private volatile FakeSession running = new FakeSession(_ -> true);

    @AfterEach
    void closeAll() {
        released = true;
        services.forEach(JobService::close);
    }

    @Test
    void runsWhatWaitsInItsOrderOnceItIsElected() throws InterruptedException {
        long first = submit(task("one"), task("two"));
        long second = submit(task("three"));
        service(4);
        assertThat(registry.history()).isEmpty();

        registry.elect(4);
        registry.await(second, JobStatus.SUCCEEDED);
        closeAll();

        assertThat(done)
                .containsExactly(
                        "resume -1 ''", "one", "two", "end", "resume -1 ''", "three", "end");
        assertThat(registry.history())
                .containsExactly(
                        "start 1 by 4",
                        "commit 1: 0 tasks, engine ",
                        "commit 1: 1 tasks, engine e1",
                        "commit 1: 2 tasks, engine e2",
                        "end 1 SUCCEEDED",
                        "start 2 by 4",
                        "commit 2: 0 tasks, engine ",
                        "commit 2: 1 tasks, engine e1",
                        "end 2 SUCCEEDED");
        assertThat(report(first)).contains("\"job\": 1").contains("\"status\": \"succeeded\"");
    }

    @Test
    void leavesJobsToTheMaster() throws InterruptedException {
        service(4);
        service(5);
        registry.elect(5);

        long id = submit(task("one"));
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(registry.history()).first().isEqualTo("start 1 by 5");
    }

    @Test
    void remembersFailuresThatTheScriptWentOnBehind() throws InterruptedException {
        String fails =
                "{\"task\": \"test.do\", \"what\": \"fail\", \"as\": \"f\", \"onFailure\": {\"retry\": 1, \"then\": \"continue\"}}";
        String asks = "{\"if\": \"f.failed\", \"then\": [" + task("three") + "]}";
        JobService lost = service(4);
        registry.elect(4);
        long id = submit(task("one"), fails, task("stick"), asks);
        awaitStuck();
        service(5);

        lost.close();
        registry.elect(5);
        registry.await(id, JobStatus.SUCCEEDED);
        closeAll();

        assertThat(done)
                .containsExactly(
                        "resume -1 ''", "one", "stuck", "resume 4 'e3'", "stick", "three", "end");
        assertThat(report(id)).contains("\"error\": \"$.tasks[1] (test.do): told to fail\"");
    }

    @Test
    void goesOnBehindNoFailureThatIsItsOwnLoss() throws InterruptedException {
        service(4);
        registry.elect(4);
        long id =
                submit(
                        "{\"task\": \"test.do\", \"what\": \"lose\", \"onFailure\": \"continue\"}",
                        task("two"));
        service(5);

        registry.await(id, JobStatus.SUCCEEDED);
        closeAll();

        assertThat(done).containsSubsequence("lose", "two", "end");
        assertThat(report(id)).doesNotContain("no member");
    }

    @Test
    void tellsWhatItDoesToWhoeverAsks() throws InterruptedException {
        JobService service = service(4);
        registry.elect(4);
        long id = submit(task("say"), task("spin"));
        awaitStuck();

        String told = service.activity(id);

        assertThat(told)
                .contains("\"task\": 2, \"tasks\": 2, \"name\": \"test.do\"")
                .contains("\"log\": [\"said\"]");
        assertThat(service.activity(id + 1)).isEmpty();
        released = true;
        registry.await(id, JobStatus.SUCCEEDED);
        assertThat(report(id)).contains("\"log\": [\"said\"]");
    }

    @Test
    @Tag("slow")
    void endsAJobWhoseTaskDoesNotStopWhenItsTimeIsOver() throws Exception {
        service(4);
        registry.elect(4);
        long id = submit("{\"task\": \"test.do\", \"what\": \"spin\", \"timeLimit\": \"10ms\"}");

        registry.await(id, JobStatus.FAILED);

        assertThat(report(id))
                .contains("its time limit of 10ms is over, and it does not stop, it is at");
        assertThat(replaced.get(30, TimeUnit.SECONDS))
                .contains("the process of node 4 is replaced");
    }

    @Test
    void goesOnWhereALostMasterWas() throws InterruptedException {
        JobService lost = service(4);
        registry.elect(4);
        long id = submit(task("one"), task("stick"), task("three"));
        awaitStuck();
        service(5);

        lost.close();
        registry.elect(5);
        registry.await(id, JobStatus.SUCCEEDED);
        closeAll();

        assertThat(done)
                .containsExactly(
                        "resume -1 ''", "one", "stuck", "resume 4 'e1'", "stick", "three", "end");
        assertThat(report(id)).contains("\"recoveries\": 1").contains("\"role\": \"master\"");
        assertThat(registry.job(id).info().attempt()).isEqualTo(2);
    }

    @Test
    void saysNothingAboutAJobThatAnotherMasterHasTakenUp() throws InterruptedException {
        service(4);
        registry.elect(4);
        long id = submit(task("one"), task("stick"));
        awaitStuck();

        registry.elect(5);
        service(5);
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(registry.history()).filteredOn(line -> line.startsWith("end")).hasSize(1);
        assertThat(registry.history()).doesNotContain("end 1 CANCELLED");
    }

    @Test
    void stopsAtItsNextCommitWhenAnotherMasterHasTakenTheJobUnheard() throws InterruptedException {
        service(4);
        registry.elect(4);
        long id = submit(task("sleep"), task("two"));
        registry.await(id, JobStatus.SUCCEEDED);

        registry.elect(4);
        long next = submit(task("three"));
        registry.await(next, JobStatus.SUCCEEDED);

        assertThat(done).contains("woken").containsOnlyOnce("two").contains("three");
        assertThat(registry.history()).filteredOn(line -> line.startsWith("end 1")).hasSize(1);
    }

    @Test
    void cancelsARunningJobAndGoesOnWithTheNext() throws InterruptedException {
        service(4);
        registry.elect(4);
        long id = submit(task("stick"), task("two"));
        long next = submit(task("three"));
        awaitStuck();

        registry.at(0).cancel(id);
        registry.await(next, JobStatus.SUCCEEDED);

        assertThat(registry.job(id).info().status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(report(id)).contains("\"status\": \"cancelled\"");
        assertThat(done).doesNotContain("two").contains("three");
    }

    @Test
    void runsOthersBesideAJobThatDoesNotEndAndCancelsItAlone() throws InterruptedException {
        maxRunning = 2;
        service(4);
        registry.elect(4);
        long id = submit(task("stick"));
        awaitStuck();
        long second = submit(task("two"));
        registry.await(second, JobStatus.SUCCEEDED);
        long third = submit(task("three"));
        registry.await(third, JobStatus.SUCCEEDED);
        assertThat(registry.job(id).info().status()).isEqualTo(JobStatus.RUNNING);

        registry.at(0).cancel(id);
        registry.await(id, JobStatus.CANCELLED);
    }

    @Test
    void leavesAllItsJobsToAnotherMaster() throws InterruptedException {
        maxRunning = 2;
        service(4);
        registry.elect(4);
        long first = submit(task("one"), task("stick"));
        awaitStuck();
        service(5);

        registry.elect(5);
        long second = submit(task("two"));
        registry.await(first, JobStatus.SUCCEEDED);
        registry.await(second, JobStatus.SUCCEEDED);

        assertThat(registry.job(first).info().attempt()).isEqualTo(2);
        assertThat(registry.job(second).info().attempt()).isEqualTo(1);
    }

    @Test
    void letsAJobOfAnEmptyGroupWaitAndSaysSo() throws InterruptedException {
        JobService service = service(4);
        registry.elect(4);
        long waiting = submit(new GroupName("empty"), JobPriority.HIGH, task("one"));
        long other = submit(task("two"));
        registry.await(other, JobStatus.SUCCEEDED);

        assertThat(service.news().jobs())
                .filteredOn(news -> !news.waitsFor().isEmpty())
                .singleElement()
                .satisfies(news -> {
                    assertThat(news.job()).isEqualTo(waiting);
                    assertThat(news.group()).isEqualTo("empty");
                    assertThat(news.waitsFor()).isEqualTo("no peer of group empty is there");
                });
    }

    @Test
    void letsACancelledJobTidyUpThoughItsEndIsNewsToo() throws InterruptedException {
        service(4);
        registry.elect(4);
        long id = submit(task("stick"));
        long next = submit(task("two"));
        awaitStuck();

        registry.at(0).cancel(id);
        registry.await(next, JobStatus.SUCCEEDED);

        assertThat(registry.job(id).info().status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(done).contains("end").doesNotContain("stopped while it tidied up");
    }

    @Tag("slow")
    @Test
    void hasItsProcessReplacedAlsoWhenTheEndOfAJobThatItGivesUpFindsNoLeader() throws Exception {
        service(4);
        registry.elect(4);
        long id = submit(task("spin"));
        awaitStuck();

        registry.failCommits(6);
        registry.at(0).cancel(id);

        assertThat(replaced.get(30, TimeUnit.SECONDS)).startsWith("job 1: a task does not stop");
        registry.elect(5); // the process is gone
        service(5);
        registry.await(id, JobStatus.CANCELLED);
        closeAll();
    }

    @Test
    void givesAJobUpWhoseTaskNeverComesBackAndHasItsProcessReplaced() throws Exception {
        service(4);
        registry.elect(4);
        long id = submit(task("one"), task("spin"), task("two"));
        long next = submit(task("three"));
        awaitStuck();

        registry.at(0).cancel(id);
        registry.await(id, JobStatus.CANCELLED);
        assertThat(replaced.get(30, TimeUnit.SECONDS)).startsWith("job 1: a task does not stop");
        assertThat(report(id))
                .contains("the job was cancelled; a task does not stop, it is at ")
                .contains("\"status\": \"cancelled\"")
                .contains("\"test.do\"");

        registry.elect(5); // the process is gone
        service(5);
        registry.await(next, JobStatus.SUCCEEDED);
        closeAll();
        assertThat(registry.history()).filteredOn(line -> line.startsWith("end 1")).hasSize(1);
        assertThat(done).doesNotContain("two").contains("three");
    }

    @Tag("slow")
    @Test
    void endsACancelledJobWhoseJarsAreNeverReadyOnceAndForAll() throws Exception {
        service(4);
        registry.elect(4);
        JobRequest request =
                new JobRequest("s", "{\"tasks\": []}", Map.of(), false, folder)
                        .withJars(List.of("spin"));
        byte[] job =
                new QueuedJob(request, List.of(folder), List.of())
                        .json()
                        .getBytes(StandardCharsets.UTF_8);
        long id = registry.at(0).submit(0, "s", job);
        awaitStuck();

        registry.at(0).cancel(id);

        assertThat(replaced.get(30, TimeUnit.SECONDS)).startsWith("job 1: a task does not stop");
        registry.await(id, JobStatus.CANCELLED);
        assertThat(report(id)).contains("\"status\": \"cancelled\"");
    }

    @Test
    void reportsAJobThatFails() throws InterruptedException {
        service(4);
        registry.elect(4);

        long id = submit(task("one"), task("fail"), task("three"));
        registry.await(id, JobStatus.FAILED);
        closeAll();

        assertThat(report(id)).contains("$.tasks[1] (test.do): told to fail");
        assertThat(done).doesNotContain("three").endsWith("end");
    }

    @Test
    void reportsAJobThatCanNotEvenBegin() throws InterruptedException {
        service(4);
        registry.elect(4);

        long broken =
                registry.at(0).submit(1, "broken", "no request".getBytes(StandardCharsets.UTF_8));
        registry.await(broken, JobStatus.FAILED);
        long wrong = submit("{\"task\": \"test.dont\"}");
        registry.await(wrong, JobStatus.FAILED);

        assertThat(report(broken)).contains("what the directory holds is no job of this version");
        assertThat(report(wrong)).contains("unknown task");
    }

    @Test
    void commitsAgainWhenTheDirectoryHadNoLeader() throws InterruptedException {
        service(4);
        registry.failCommits(3);
        registry.elect(4);

        long id = submit(task("one"));
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(registry.history())
                .containsExactly(
                        "start 1 by 4",
                        "commit 1: 0 tasks, engine ",
                        "commit 1: 1 tasks, engine e1",
                        "end 1 SUCCEEDED");
    }

    @Test
    void takesAJobUpAgainWhenTheDirectoryStayedAwayForLongerThanACommitIsTried()
            throws InterruptedException {
        service(4);
        registry.elect(4);

        long id = submit(task("one"), task("away"), task("three"));
        registry.await(id, JobStatus.SUCCEEDED);
        long begun = submit(task("four"));
        registry.await(begun, JobStatus.SUCCEEDED);

        assertThat(registry.history()).doesNotContain("end 1 FAILED").contains("start 1 by 4");
        assertThat(registry.job(id).info().attempt()).isEqualTo(2);
    }

    @Test
    void takesAJobUpAgainThatCouldNotSayThatItBegins() throws InterruptedException {
        service(4);
        registry.failCommits(6);
        registry.elect(4);

        long id = submit(task("one"));
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(registry.job(id).info().attempt()).isEqualTo(2);
    }

    @Test
    void goesOnLeadingWhenThereWasNoRoomOnTheHeapForAMoment() throws InterruptedException {
        service(4);
        heapIsFull = true;
        registry.elect(4);

        long id = submit(task("one"));
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(heapIsFull).isFalse();
    }

    @Test
    void doesNotTakeItsOwnLossForAFailureOfTheJob() throws InterruptedException {
        service(4);
        registry.elect(4);
        long id = submit(task("lose"));
        asked.await();
        service(5);

        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(registry.history())
                .containsSubsequence("start 1 by 4", "start 1 by 5", "end 1 SUCCEEDED")
                .doesNotContain("end 1 FAILED");
    }

    @Test
    void doesNotTryAJobForEver() throws InterruptedException {
        service(4);
        long id = submit(task("one"));
        Job job = registry.job(id);
        JobInfo tried = new JobInfo(id, "s", JobStatus.RUNNING, 100, false);
        registry.put(new Job(tried, 0, job.payload(), job.progress(), job.report()));

        registry.elect(4);
        registry.await(id, JobStatus.FAILED);

        assertThat(report(id)).contains("100 masters were lost with this job");
        assertThat(done).isEmpty();
    }

    @Test
    void saysWhyAJobWhoseJarsCannotBeHadIsNotTriedForEver() throws InterruptedException {
        service(4);
        JobRequest request =
                new JobRequest("s", "{\"tasks\": []}", Map.of(), false, folder)
                        .withJars(List.of("away"));
        byte[] job =
                new QueuedJob(request, List.of(folder), List.of())
                        .json()
                        .getBytes(StandardCharsets.UTF_8);
        long id = registry.at(0).submit(0, "s", job);
        JobInfo tried = new JobInfo(id, "s", JobStatus.RUNNING, 99, false);
        registry.put(new Job(tried, 0, job, new byte[0], new byte[0]));

        registry.elect(4);
        registry.await(id, JobStatus.FAILED);

        assertThat(report(id))
                .contains("100 attempts came to nothing; the last one: the jar's owner is lost");
    }

    /** A thread for which the operating system has no room, once. */
    private final class NoThread extends Thread {
        @Override
        public synchronized void start() {
            noThread = false;
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    @Test
    void takesAJobUpAgainForWhichThereWasNoThread() throws InterruptedException {
        service(4);
        noThread = true;
        registry.elect(4);

        long id = submit(task("one"));
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(noThread).isFalse();
        assertThat(registry.job(id).info().attempt()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 222, 2_048, 1_000_000, (1 << 24) - 2})
    void numbersTheWorkOfMillionsOfJobsAscending(long id) throws InterruptedException {
        service(4);
        Job job = registry.job(submit(task("one")));
        for (long other = id; other < id + 2; other++) {
            JobInfo info = new JobInfo(other, "s", JobStatus.RUNNING, 98, false);
            registry.put(new Job(info, 0, job.payload(), new byte[0], new byte[0]));
        }

        registry.elect(4);
        registry.await(id + 1, JobStatus.SUCCEEDED);
        registry.await(id, JobStatus.SUCCEEDED);

        assertThat(List.copyOf(numbers).subList(0, 2)).isSorted().doesNotHaveDuplicates();
    }

    private JobService service(int node) {
        JobService.Directory directory =
                new JobService.Directory() {
                    @Override
                    public int self() {
                        return node;
                    }

                    @Override
                    public int masterNow() {
                        asked.countDown();
                        return registry.master();
                    }

                    @Override
                    public boolean hasPeers(GroupName group) {
                        if (heapIsFull) {
                            heapIsFull = false;
                            throw new OutOfMemoryError("Java heap space");
                        }
                        return !group.text().equals("empty");
                    }
                };
        JobService service =
                new JobService(
                        registry.at(node),
                        directory,
                        (term, needs, admission, listener, sink) -> {
                            numbers.add(Attempt.of(term, 1));
                            return new FakeSession(sink);
                        },
                        TaskCatalog.of(new Doing()),
                        new JarLoaders(
                                JarRules.DEFAULT,
                                (digest, _) -> {
                                    stuck.countDown();
                                    while (!released && digest.equals("spin")) {
                                        LockSupport.parkNanos(1_000_000);
                                    }
                                    if (digest.equals("away")) {
                                        throw new StoreException("the jar's owner is lost");
                                    }
                                    throw new IllegalStateException(digest);
                                }),
                        () -> BroughtFiles.HERE,
                        new LossTimes(),
                        maxRunning,
                        new ConcurrentHashMap<>(),
                        work -> noThread ? new NoThread() : new Thread(work),
                        replaced::complete);
        services.add(service);
        service.start();
        return service;
    }

    private long submit(String... tasks) {
        return submit(GroupName.DEFAULT, JobPriority.NORMAL, tasks);
    }

    private long submit(GroupName group, JobPriority priority, String... tasks) {
        String script = "{\"name\": \"s\", \"tasks\": [" + String.join(", ", tasks) + "]}";
        JobRequest request =
                new JobRequest("s", script, Map.of(), false, folder).to(group, priority);
        QueuedJob job = new QueuedJob(request, List.of(folder), List.of());
        return registry.at(0).submit(0, "s", job.json().getBytes(StandardCharsets.UTF_8));
    }

    private static String task(String what) {
        return "{\"task\": \"test.do\", \"what\": \"" + what + "\"}";
    }

    private String report(long id) {
        return new String(registry.job(id).report(), StandardCharsets.UTF_8);
    }

    private void awaitStuck() throws InterruptedException {
        stuck.await();
    }

    private void awaitSuccess() {
        try {
            registry.await(1, JobStatus.SUCCEEDED);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A task that notes what it did, or does what it is told. */
    private final class Doing implements Task {
        @Override
        public TaskSignature signature() {
            return TaskSignature.of("test.do", "Does something.")
                    .with(Argument.required("what", Argument.Type.TEXT, "what to do"));
        }

        @Override
        public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
            String what = arguments.text("what");
            switch (what) {
                case "fail" -> throw new JobFailedException("told to fail");
                case "stick" -> {
                    if (stuck.getCount() > 0) {
                        done.add("stuck");
                        stuck.countDown();
                        running.awaitCancel();
                    }
                }
                case "say" -> context.log("said");
                case "away" -> registry.failCommits(done.contains(what) ? 0 : 6);
                case "spin" -> {
                    stuck.countDown();
                    while (!released) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
                case "lose" -> {
                    if (registry.master() == 4) {
                        registry.electUnheardBy(4, 5);
                        throw new JobFailedException("this node is no member any more");
                    }
                }
                case "sleep" -> {
                    if (registry.master() == 4) {
                        registry.electUnheardBy(4, 5);
                        service(5);
                        awaitSuccess();
                        done.add("woken");
                        return new TaskResult();
                    }
                }
                default -> {}
            }
            done.add(what);
            return new TaskResult();
        }
    }

    /** An engine whose checkpoints say how many tasks have ended in all attempts. */
    private final class FakeSession implements JobSession {
        private final CheckpointSink sink;
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final List<RecoveryEvent> events = new ArrayList<>();
        private int ended;

        /** The job's thread while it tidies up, which hears of news then. */
        private volatile @Nullable Thread tidying;

        private FakeSession(CheckpointSink sink) {
            this.sink = sink;
            running = this;
        }

        private void awaitCancel() {
            try {
                cancelled.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            throw new JobCancelledException("cancelled");
        }

        @Override
        public void resume(byte[] progress, int lostMaster, long detectedNanos) {
            String text = new String(progress, StandardCharsets.UTF_8);
            done.add("resume %d '%s'".formatted(lostMaster, text));
            if (lostMaster >= 0) {
                events.add(new RecoveryEvent(lostMaster, RecoveryEvent.MASTER, -1, -1, 0));
            }
        }

        @Override
        public void beginTask(int index) {
            ended = index;
        }

        @Override
        public void endTask() {
            ended++;
            if (!sink.commit(("e" + ended).getBytes(StandardCharsets.UTF_8))) {
                throw new JobCancelledException("another master");
            }
        }

        @Override
        public void endJob() {
            done.add("end");
            tidying = Thread.currentThread();
            registry.tell();
            tidying = null;
        }

        @Override
        public void cancel() {
            if (Thread.currentThread().equals(tidying)) {
                done.add("stopped while it tidied up");
            }
            cancelled.countDown();
        }

        @Override
        public void use(JobCode code) {
            throw new IllegalStateException("no job of these tests has jars");
        }

        @Override
        public GraphSession graphs() {
            throw new IllegalStateException("no graphs here");
        }

        @Override
        public int peers() {
            return 1;
        }

        @Override
        public boolean separateProcesses() {
            return true;
        }

        @Override
        public List<Long> peakResidentBytes() {
            return List.of();
        }

        @Override
        public long supersteps() {
            return 0;
        }

        @Override
        public long messages() {
            return 0;
        }

        @Override
        public List<RecoveryEvent> recoveryEvents() {
            return events;
        }
    }
}
