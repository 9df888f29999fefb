/**
 * What proves the store under faults: histories of operations, the checker that says whether they
 * are linearizable, and the loop that kills real processes. Open {@link
 * org.starling.store.kit.Linearizability} first, then {@link org.starling.store.kit.KillLoop}.
 */
@NullMarked
package org.starling.store.kit;

import org.jspecify.annotations.NullMarked;
