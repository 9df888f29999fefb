package org.starling.store.kit;

import java.util.List;

/** What troubles a cluster until it has done enough. The rest is asked behind its end. */
interface Nemesis extends Runnable {
    /** How often it has struck. */
    int struck();

    /** What the cluster did not get over, a line each. */
    List<String> faults();

    /** What it did, a line each. */
    String diary();
}
