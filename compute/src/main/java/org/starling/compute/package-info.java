/**
 * The engine: it parses scripts, runs their tasks over a compute group in supersteps, and carries a
 * job over the loss of a node. Commands submit scripts here and read progress and reports; programs
 * written against {@code org.starling.graph} are run here and never see this package. Start with
 * the master, which turns a parsed script into tasks and barriers, then the slave, which runs a
 * program over its shards.
 */
@NullMarked
package org.starling.compute;

import org.jspecify.annotations.NullMarked;
