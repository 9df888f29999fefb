package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.starling.compute.access.TokenService;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.ScriptPlan;
import org.starling.graph.GraphQueries;

/**
 * What a superpeer does for people. Blocking; any thread. Every method throws {@link
 * ClusterException} while the directory has no leader or does not answer.
 */
public interface ClusterService {
    /**
     * Queues a job.
     *
     * @param nonce tells a repeated request from a new one: the same nonce gives the same job
     * @return its number
     * @throws org.starling.compute.script.InvalidScriptException if anything is wrong with the
     *     script
     * @throws org.starling.graph.InvalidInputException if a folder does not exist, or the script's
     *     is none that the cluster's configuration allows
     * @throws QueueFullException if too many jobs wait
     */
    long submit(JobRequest request, long nonce);

    /**
     * Checks a job as {@link #submit} does, and queues nothing.
     *
     * @return what it would do, step by step
     */
    ScriptPlan check(JobRequest request);

    /** Folders that files of scripts must lie under; the first is where they usually are. */
    List<Path> folders();

    /**
     * How a running job has come to where it is; nothing if there is none of that number that runs,
     * or its master does not answer.
     */
    Optional<JobCourse> course(long id);

    /** All jobs that are known, by ascending number; of those that have ended the last hundred. */
    List<JobView> jobs();

    /** One job. */
    Optional<JobView> job(long id);

    /**
     * The report of a job as JSON text; nothing while it has not ended, or if there is none of that
     * number.
     */
    Optional<String> report(long id);

    /**
     * Asks a job to stop: a queued one is cancelled, a running one stops within a superstep.
     *
     * @return false if there is none of that number or it has ended
     */
    boolean cancel(long id);

    /** Jars that jobs may bring. */
    JarService jars();

    /** Tokens of those who may ask. */
    TokenService tokens();

    /** What jobs have written that were submitted to be fetched. */
    ResultService results();

    /** Files that people bring along for scripts to read. */
    UploadService uploads();

    /** Graphs that the cluster keeps, by name. */
    List<GraphView> graphs();

    /** One of them; nothing if there is none of that name. */
    Optional<GraphDetail> graph(String name);

    /**
     * Drops a kept graph, and removes its chunks.
     *
     * @throws org.starling.graph.InvalidInputException if there is none of that name, or a running
     *     job uses it
     */
    void dropGraph(String name);

    /**
     * Begins an empty list of kept graphs in the place of one that is lost: what it named is
     * nobody's any more.
     *
     * @throws org.starling.graph.InvalidInputException if it can be read
     */
    void forgetGraphs();

    /**
     * Gives a kept graph another name.
     *
     * @throws org.starling.graph.InvalidInputException if there is none of that name, there is one
     *     of the new name, or a running job uses it
     */
    void renameGraph(String name, String newName);

    /**
     * Copies a kept graph with its columns.
     *
     * @throws org.starling.graph.InvalidInputException if there is none of that name, or there is
     *     one of the new name
     */
    void copyGraph(String name, String newName);

    /**
     * Questions about single vertices of kept graphs. Beside bad input they throw {@link
     * ClusterException} when there is no answer in time, as after the loss of a peer.
     */
    GraphQueries queries();

    /** The same as people ask them, by original ids of whatever kind. */
    default VertexQuestions questions() {
        return VertexQuestions.over(queries());
    }

    /**
     * Asks a peer to leave: jobs do without it from their next barrier on at which its shards can
     * move, and then it ends. A second call does nothing.
     *
     * @param node its node id
     * @throws org.starling.graph.InvalidInputException if it is no peer, or the cluster can't do
     *     without it
     */
    void drain(int node);

    /**
     * Removes a peer that is gone for good with its disk, so that nothing waits for it any more, or
     * a superpeer, up or down. A second call does nothing.
     *
     * @param node its node id
     * @param acceptLoss whether data that have no live copy, and can't become whole without its
     *     disk, may lose changes for good
     * @return what came of it
     * @throws org.starling.graph.InvalidInputException if it is a peer that is a member, a
     *     superpeer that can't be done without, or unknown, or changes would be lost and that is
     *     not accepted
     */
    RemovedView remove(int node, boolean acceptLoss);

    /**
     * Makes what the peers' memories hold more even by one move: a zone of chunks goes from the
     * peer with the fullest memory to the one with the emptiest, while both serve. To be called
     * until nothing moves.
     *
     * @return the move; nothing if the peers are even, or can't be made more so
     * @throws org.starling.graph.InvalidInputException if a job runs, as jobs count on it that
     *     their graphs stay where they are
     */
    Optional<ZoneMoveView> rebalance();

    /**
     * What a node has logged lately, of what it keeps in memory.
     *
     * @param node its node id
     * @param count lines at most, 1 to {@link LogLine#MAX_LINES}
     * @param least the least urgent level of them
     * @return the last lines, oldest first
     * @throws org.starling.graph.InvalidInputException if it is no member
     */
    List<LogLine> log(int node, int count, LogLine.Level least);

    /** The cluster. */
    ClusterView status();

    /** Nodes that were lost, and what has become of what they owned. */
    RecoveriesView recoveries();

    /** What the networks of the members have done, of those that answer; by ascending id. */
    List<NetworkView> networks();
}
