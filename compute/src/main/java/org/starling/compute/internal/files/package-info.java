/**
 * Files that were brought to the cluster, on hosts that do not share the folder in which they lie:
 * what a script's submitter sent along, and what a master fetched from a web server. A node that
 * lacks one copies it from a node that has it, to the same place, until the job has ended. Start
 * with {@link org.starling.compute.internal.files.FileCopies}.
 */
@NullMarked
package org.starling.compute.internal.files;

import org.jspecify.annotations.NullMarked;
