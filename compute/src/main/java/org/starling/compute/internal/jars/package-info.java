/**
 * Jars of users on their way: kept as chunks of the store ({@link
 * org.starling.compute.internal.jars.JarStore}), fetched by each node that needs them, loaded once
 * for all jobs that bring the same ones ({@link org.starling.compute.internal.jars.JarLoaders}).
 * Masters, slaves and superpeers call in. Start with {@code JarLoaders}.
 */
@NullMarked
package org.starling.compute.internal.jars;

import org.jspecify.annotations.NullMarked;
