/**
 * The web page of a cluster: plain files, written for browsers as they are, and read from the class
 * path once. Who serves them, and what they ask for, is the business of the REST interface in room
 * {@code cli}. Open {@link org.starling.dashboard.PageFiles} first, then {@code page/main.js} among
 * the resources.
 */
@NullMarked
package org.starling.dashboard;

import org.jspecify.annotations.NullMarked;
