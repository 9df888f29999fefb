// What the words of the page mean, for whoever reads them for the first time.
import {h} from './dom.js';

const MEANINGS = {
  'node': 'a process of the cluster; its number stays with it',
  'superpeer': 'a node that answers pages and commands and keeps the directory; of three, one may be lost without harm',
  'peer': 'a node that holds data and computes',
  'directory': 'who is a member, where data lie, which jobs there are; the superpeers agree on it, and one of them leads',
  'master': 'the peer that leads jobs; when it is lost another one takes them up',
  'chunk': 'a piece of data with a number of its own; graphs and their columns are kept in chunks',
  'zone': 'a run of chunks of one peer that have their copies (backups) on the same other peers; all there: no zone lacks a copy',
  'durability': 'what is sure to survive once it was written: POWER, a loss of power everywhere; PROCESS, the end of all processes; MEMORY, the loss of single nodes. k is how many backups are wanted',
  'group': 'peers that jobs can be sent to by its name; peers of which nobody said so are of the group default',
  'round trip': 'from request to answer between nodes, the median',
  'drain': 'let a peer leave in order: it gives its part of jobs and its data to others first, and its process ends',
  'silent': 'the node is a member, and has not answered when it was asked for its figures',
  'task': 'a step of a script; tasks run one after another',
  '$.tasks[1]': 'a place in the script: of the list “tasks” the second one, as counting begins at 0',
  'program': 'what runs at each vertex; a task runs none, one or several',
  'superstep': 'a round of a program: some vertices compute and send messages, which arrive in the next round',
  'frontier': 'the vertices that compute in a superstep',
  'messages before combining': 'as many as vertices have sent; of those for one vertex a node may make a single one before it sends them',
  'shard': 'a part of a graph’s vertices that is computed as one and stays together on a peer; the slowest one holds up its superstep',
  'pushed, pulled': 'pushed: vertices that have something to say send it along their edges; pulled: vertices fetch it from their neighbours. The engine takes what is less work',
  'attempt': 'how often a master has begun with the job; each one goes on from the last checkpoint',
  'after a loss': 'in the middle: the program goes on from its last checkpoint; from its start: it can’t, and begins again',
  'vertex, edge': 'a thing of the graph, and a connection between two of them',
  'column': 'a value of each vertex or edge; it came with the file, or a script has published it',
  'copies': 'how many peers have each part of the graph: its owner and its backups',
  'bin': 'a range of values; its bar is as high as there are vertices in it',
  'component, core, community': 'groups of vertices that tasks find: those that are connected (graph.wcc), those with many neighbours among each other (graph.kcore), those that are tied more closely to each other than to the rest (graph.cdlp)',
};

/** A list of some words, folded until somebody wants it. */
export function words(...names) {
  return h('details', {class: 'words'}, h('summary', null, 'What the words mean'),
    h('dl', null, names.flatMap(name => [h('dt', null, name), h('dd', null, MEANINGS[name])])));
}
