/**
 * Jobs of a cluster: every peer that computes watches the directory's queue, and the elected master
 * runs what waits in it, script by script. Called by whoever starts a node. Start with {@link
 * org.starling.compute.internal.job.JobService}.
 */
@NullMarked
package org.starling.compute.internal.job;

import org.jspecify.annotations.NullMarked;
