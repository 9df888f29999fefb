package org.starling.compute.internal.job;

import java.nio.charset.StandardCharsets;
import org.starling.compute.GroupName;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.graph.InvalidInputException;
import org.starling.store.Job;

/** Where a job is to run, and how urgent it is. Immutable. */
record JobNeeds(GroupName group, JobPriority priority) {
    /** Of a job that says nothing, or nothing that can be read. */
    static final JobNeeds USUAL = new JobNeeds(GroupName.DEFAULT, JobPriority.NORMAL);

    /** What a job says; one that can't be read runs anywhere, and fails there with a sentence. */
    static JobNeeds of(Job job) {
        try {
            JobRequest request =
                    QueuedJob.parse(new String(job.payload(), StandardCharsets.UTF_8)).request();
            return new JobNeeds(request.group(), request.priority());
        } catch (InvalidInputException unreadable) {
            return USUAL;
        }
    }
}
