/**
 * What people install where there is no JDK and no Maven. The launcher of a checkout calls {@link
 * org.starling.packages.PackageMain}, the class to open first; nothing else does, and none of this
 * is installed itself.
 */
@NullMarked
package org.starling.packages;

import org.jspecify.annotations.NullMarked;
