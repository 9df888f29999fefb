package org.starling.compute.objects;

import java.util.List;

/**
 * A page of a list of objects.
 *
 * @param objects what lies there, in the order of keys
 * @param next what the question for the next page says; empty if there is none
 */
public record ObjectPage(List<Listed> objects, String next) {
    /** Copies the list. */
    public ObjectPage {
        objects = List.copyOf(objects);
    }

    /**
     * An object of a list.
     *
     * @param bytes its size
     */
    public record Listed(String key, long bytes) {}
}
