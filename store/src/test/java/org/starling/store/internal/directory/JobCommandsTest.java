package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.CancelJob;
import org.starling.store.internal.directory.Command.CommitCheckpoint;
import org.starling.store.internal.directory.Command.ElectMaster;
import org.starling.store.internal.directory.Command.EndJob;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.StartJob;
import org.starling.store.internal.directory.Command.SubmitJob;

/** Masters and their jobs. Nodes 1 and 2 compute, node 3 does not. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class JobCommandsTest {
    private static final Result CHANGED = new Result.Done(true);
    private static final Result UNCHANGED = new Result.Done(false);
    private static final byte[] BYTES = {1, 2, 3};

    private final Directory directory = new Directory();

    JobCommandsTest() {
        directory.apply(new FoundCluster(1, 1));
        directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.COMPUTES));
        directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.COMPUTES));
        directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES));
    }

    @Test
    void electsAMasterOnlyWhileThereIsNone() {
        assertThat(directory.master()).isEqualTo(new MasterInfo(MasterInfo.NOBODY, 0));
        assertRefused(new ElectMaster(3), "computes");

        assertThat(directory.apply(new ElectMaster(1)))
                .isEqualTo(new Result.MasterElected(1, 1, true));
        assertThat(directory.apply(new ElectMaster(2)))
                .isEqualTo(new Result.MasterElected(1, 1, false));
        directory.apply(new RemoveNode(1));
        assertThat(directory.master()).isEqualTo(new MasterInfo(MasterInfo.NOBODY, 1));
        assertThat(directory.apply(new ElectMaster(2)))
                .isEqualTo(new Result.MasterElected(2, 2, true));
    }

    @Test
    void electsAnotherMasterInPlaceOfOneThatIsToLeave() {
        directory.apply(new ElectMaster(1));

        directory.apply(new Command.NoteLeaving(1));

        assertThat(directory.master()).isEqualTo(new MasterInfo(MasterInfo.NOBODY, 1));
        assertRefused(new ElectMaster(1), "leave");
        assertThat(directory.apply(new ElectMaster(2)))
                .isEqualTo(new Result.MasterElected(2, 2, true));
    }

    @Test
    void queuesAJobOnceForEachNonce() {
        assertThat(directory.apply(new SubmitJob(9, "a", BYTES)))
                .isEqualTo(new Result.JobSubmitted(1));
        assertThat(directory.apply(new SubmitJob(9, "a", BYTES)))
                .isEqualTo(new Result.JobSubmitted(1));
        assertThat(directory.apply(new SubmitJob(10, "a", BYTES)))
                .isEqualTo(new Result.JobSubmitted(2));

        assertThat(directory.jobs())
                .containsExactly(
                        new JobInfo(1, "a", JobStatus.QUEUED, 0, false),
                        new JobInfo(2, "a", JobStatus.QUEUED, 0, false));
        assertThat(job(1).payload()).containsExactly(1, 2, 3);
    }

    @Test
    void refusesJobsThatAreTooLarge() {
        assertRefused(new SubmitJob(1, "", BYTES), "not 0");
        assertRefused(new SubmitJob(1, "ö".repeat(128), BYTES), "not 256");
        assertRefused(
                new SubmitJob(1, "a", new byte[Job.MAX_PAYLOAD_BYTES + 1]), "at most 1048576");
    }

    @Test
    void boundsTheJobsThatWaitAndTheirBytes() {
        for (int i = 0; i < 64; i++) {
            directory.apply(new SubmitJob(0, "a", new byte[Job.MAX_PAYLOAD_BYTES]));
        }
        assertRefusedQuickly(new SubmitJob(0, "a", BYTES));

        directory.apply(new CancelJob(1));
        for (int i = 0; i < JobTable.MAX_OPEN_JOBS - 63; i++) {
            assertThat(directory.apply(new SubmitJob(0, "a", new byte[0])))
                    .isInstanceOf(Result.JobSubmitted.class);
        }
        assertRefusedQuickly(new SubmitJob(0, "a", new byte[0]));
    }

    @Test
    void startsAJobForTheMasterOfTheTermOnly() {
        submitAndElect();

        assertRefused(new StartJob(1, 2, 1, 0), "not master");
        assertRefused(new StartJob(1, 1, 2, 0), "not master");
        assertRefused(new StartJob(7, 1, 1, 0), "not known");
        assertThat(directory.apply(new StartJob(1, 1, 1, 0))).isEqualTo(new Result.JobStarted(1));
        assertThat(directory.apply(new StartJob(1, 1, 1, 0)))
                .as("again")
                .isEqualTo(new Result.JobStarted(1));
        assertRefused(new StartJob(1, 1, 1, 5), "attempt 1");
        assertThat(job(1).info()).isEqualTo(new JobInfo(1, "job", JobStatus.RUNNING, 1, false));
    }

    @Test
    void letsANewMasterGoOnFromTheLastCheckpoint() {
        submitAndElect();
        directory.apply(new StartJob(1, 1, 1, 0));
        directory.apply(new CommitCheckpoint(1, 1, 1, BYTES));
        directory.apply(new RemoveNode(1));
        directory.apply(new ElectMaster(2));

        assertRefused(new StartJob(1, 1, 1, 1), "not master");
        assertRefused(new StartJob(1, 2, 2, 0), "attempt 1");
        assertThat(directory.apply(new StartJob(1, 2, 2, 1))).isEqualTo(new Result.JobStarted(2));

        assertThat(job(1).progress()).containsExactly(1, 2, 3);
        assertRefused(new CommitCheckpoint(1, 1, 2, BYTES), "attempt 2");
        assertRefused(new EndJob(1, 1, JobStatus.SUCCEEDED, BYTES), "attempt 2");
        assertThat(directory.apply(new CommitCheckpoint(1, 2, 2, BYTES))).isEqualTo(CHANGED);
    }

    @Test
    void neverGoesBackToAnEarlierCheckpoint() {
        submitAndElect();
        assertRefused(new CommitCheckpoint(1, 0, 1, BYTES), "does not run");
        directory.apply(new StartJob(1, 1, 1, 0));

        assertThat(directory.apply(new CommitCheckpoint(1, 1, 1, BYTES))).isEqualTo(CHANGED);
        assertThat(directory.apply(new CommitCheckpoint(1, 1, 1, BYTES))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new CommitCheckpoint(1, 1, 2, new byte[] {9})))
                .isEqualTo(CHANGED);
        assertRefused(new CommitCheckpoint(1, 1, 1, BYTES), "2 checkpoints");
        assertRefused(new CommitCheckpoint(1, 1, 4, BYTES), "2 checkpoints");
        assertRefused(new CommitCheckpoint(2, 1, 1, BYTES), "not known");
        assertRefused(
                new CommitCheckpoint(1, 1, 3, new byte[Job.MAX_PROGRESS_BYTES + 1]), "262144");

        assertThat(job(1).progress()).containsExactly(9);
    }

    @Test
    void endsAJobOnceAndForgetsWhatItNeedsNoMore() {
        submitAndElect();
        assertRefused(new EndJob(1, 0, JobStatus.FAILED, BYTES), "does not run");
        directory.apply(new StartJob(1, 1, 1, 0));
        directory.apply(new CommitCheckpoint(1, 1, 1, BYTES));

        assertRefused(new EndJob(1, 1, JobStatus.RUNNING, BYTES), "RUNNING");
        assertRefused(new EndJob(9, 1, JobStatus.FAILED, BYTES), "not known");
        assertRefused(
                new EndJob(1, 1, JobStatus.FAILED, new byte[Job.MAX_REPORT_BYTES + 1]), "1048576");
        EndJob end = new EndJob(1, 1, JobStatus.SUCCEEDED, new byte[] {4});
        assertThat(directory.apply(end)).isEqualTo(CHANGED);
        assertThat(directory.apply(end)).isEqualTo(UNCHANGED);
        assertRefused(new EndJob(1, 1, JobStatus.FAILED, BYTES), "does not run");
        assertRefused(new StartJob(1, 1, 1, 1), "has ended");

        assertThat(job(1).report()).containsExactly(4);
        assertThat(job(1).payload()).isEmpty();
        assertThat(job(1).progress()).isEmpty();
        assertThat(job(1).checkpoints()).isEqualTo(1);
    }

    @Test
    void cancelsAWaitingJobAtOnceAndMarksARunningOne() {
        submitAndElect();
        directory.apply(new SubmitJob(2, "other", BYTES));
        directory.apply(new StartJob(2, 1, 1, 0));

        assertThat(directory.apply(new CancelJob(1))).isEqualTo(CHANGED);
        assertThat(directory.apply(new CancelJob(1))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new CancelJob(2))).isEqualTo(CHANGED);
        assertThat(directory.apply(new CancelJob(2))).isEqualTo(UNCHANGED);
        assertRefused(new CancelJob(3), "not known");

        assertThat(job(1).info().status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(job(2).info()).isEqualTo(new JobInfo(2, "other", JobStatus.RUNNING, 1, true));
        assertThat(job(2).payload()).as("is still needed").containsExactly(1, 2, 3);
    }

    @Test
    void keepsTheLastJobsThatHaveEnded() {
        directory.apply(new SubmitJob(0, "waits", BYTES));
        for (int i = 0; i <= JobTable.MAX_ENDED_JOBS; i++) {
            directory.apply(new SubmitJob(0, "a", BYTES));
            directory.apply(new CancelJob(i + 2));
        }

        assertThat(directory.jobs()).hasSize(1 + JobTable.MAX_ENDED_JOBS);
        assertThat(directory.job(1)).isPresent();
        assertThat(directory.job(2)).isEmpty();
        assertThat(directory.job(3)).isPresent();
    }

    @Test
    void boundsTheBytesOfReports() {
        directory.apply(new ElectMaster(1));
        for (int job = 1; job <= 66; job++) {
            directory.apply(new SubmitJob(0, "a", BYTES));
            directory.apply(new StartJob(job, 1, 1, 0));
            directory.apply(new EndJob(job, 1, JobStatus.FAILED, new byte[Job.MAX_REPORT_BYTES]));
        }

        assertThat(directory.jobs()).hasSize(64);
        assertThat(directory.job(2)).isEmpty();
        assertThat(directory.job(66)).isPresent();
    }

    // what the tests share

    private void submitAndElect() {
        directory.apply(new SubmitJob(1, "job", BYTES));
        directory.apply(new ElectMaster(1));
    }

    private Job job(long id) {
        return directory.job(id).orElseThrow();
    }

    private void assertRefused(Command command, String reason) {
        byte[] before = DirectorySnapshot.write(directory);

        Result result = directory.apply(command);

        assertThat(result).as("%s", command).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).reason()).contains(reason);
        assertThat(DirectorySnapshot.write(directory)).as("changed nothing").isEqualTo(before);
    }

    private void assertRefusedQuickly(Command command) {
        assertThat(directory.apply(command)).isInstanceOf(Result.Refused.class);
    }
}
