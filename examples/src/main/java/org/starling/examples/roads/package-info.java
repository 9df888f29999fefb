/**
 * A whole job: the program {@link org.starling.examples.roads.ShortestPaths}, its provider, and a
 * task that runs it and looks at what it left.
 */
package org.starling.examples.roads;
