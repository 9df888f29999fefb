/**
 * What master and slaves say to each other. All messages of the room are kinds of {@link
 * org.starling.compute.internal.protocol.ComputeMessage}, a file for each kind of work; bulk data
 * between slaves goes as raw blocks laid out by {@link
 * org.starling.compute.internal.protocol.BlockLayout}.
 */
@NullMarked
package org.starling.compute.internal.protocol;

import org.jspecify.annotations.NullMarked;
