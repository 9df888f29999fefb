package org.starling.store;

/**
 * What came of the removal of a peer that is gone for good.
 *
 * @param node its node id
 * @param changed whether it was not removed before
 * @param waiting zones without a live copy that come back when the disks of all others that had
 *     them do
 * @param damaged zones without a live copy that have lost changes for good; they come back from the
 *     other disks that had them, or not at all if there are none
 */
public record ForgottenNode(int node, boolean changed, int waiting, int damaged) {}
