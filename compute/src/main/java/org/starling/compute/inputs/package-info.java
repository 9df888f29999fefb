/**
 * Inputs of scripts that are no files: standard input, and what web servers and object stores hold.
 * They are brought into a file first, since graphs are read from several places of a file at once.
 * Results that go to object stores are files first as well.
 *
 * <p>Start with {@link org.starling.compute.inputs.InputSpool}, which a script's runner owns;
 * {@link org.starling.compute.inputs.WebHosts} says which servers and buckets may be asked at all.
 */
@NullMarked
package org.starling.compute.inputs;

import org.jspecify.annotations.NullMarked;
