/**
 * Structures that jobs keep in the store beside graphs: maps, lists, tables and single values. All
 * are sorted entries in pages, each a chunk that is written once; a change makes new pages and, at
 * the end of its task, a new root. Start with {@link
 * org.starling.compute.internal.structure.JobStructures}; docs/design/structures.md says why it is
 * safe.
 */
@NullMarked
package org.starling.compute.internal.structure;

import org.jspecify.annotations.NullMarked;
