/**
 * What rooms and jobs that test their programs start them on: {@link
 * org.starling.compute.testing.TestCluster}. Nothing here is for production.
 */
@NullMarked
package org.starling.compute.testing;

import org.jspecify.annotations.NullMarked;
