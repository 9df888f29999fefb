/**
 * What master and slaves say to each other. All messages of the room stand in {@link
 * org.starling.compute.internal.protocol.ComputeMessage}; bulk data between slaves goes as raw
 * blocks laid out by {@link org.starling.compute.internal.protocol.BlockLayout}.
 */
@NullMarked
package org.starling.compute.internal.protocol;

import org.jspecify.annotations.NullMarked;
