package org.starling.store;

/**
 * A superpeer of the cluster that is no member now: it is down, or cut off.
 *
 * @param id node id
 * @param host where the others look for it; empty if that is not known
 * @param port likewise
 * @param votes whether the others count on it; one that was taken in and has never started has no
 *     vote yet
 */
public record AbsentSuperpeer(int id, String host, int port, boolean votes) {
    /**
     * Where the others look for it.
     *
     * @return host and port; empty if that is not known
     */
    public String address() {
        return host.isEmpty() ? "" : host + ':' + port;
    }
}
