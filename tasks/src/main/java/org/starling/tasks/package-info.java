/**
 * The words of a script: each task has a name, typed arguments and a typed result, and binds them
 * to a loader, an algorithm or a service. The engine finds tasks through {@link
 * java.util.ServiceLoader}, so nobody compiles against this package. Start with the task that loads
 * a graph: it shows how arguments are declared, checked and answered.
 */
@NullMarked
package org.starling.tasks;

import org.jspecify.annotations.NullMarked;
