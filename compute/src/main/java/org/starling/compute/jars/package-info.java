/**
 * Code of users in jars: what a jar is looked at for before it is loaded ({@link
 * org.starling.compute.jars.JarInspection}), and what a job can name once it is ({@link
 * org.starling.compute.jars.JobCode}, start there). Commands call in, superpeers for what is
 * uploaded, and the engine on each node. How jars come to the nodes is in {@code
 * org.starling.compute.internal.jars}; {@code docs/design/user-jars.md} tells the whole.
 */
@NullMarked
package org.starling.compute.jars;

import org.jspecify.annotations.NullMarked;
