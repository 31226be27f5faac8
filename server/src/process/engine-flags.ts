/** Settings of V8 for the whole process, before it serves requests. */
import { setFlagsFromString } from 'node:v8'
import { isLittleMemory } from '@plumbline/storage/traces'

/** Sets them. */
export function setEngineFlags(): void {
  keepRequestsYoung()
  if (!isLittleMemory()) markLessOften()
}

/**
 * Keeps V8 from allocating objects of requests in the old generation.
 *
 * V8 counts, for each object literal in the code, how many of its objects survive a scavenge, and if nearly all of about
 * a hundred do, allocates all later ones in the old generation. The scavenge that decides may fall into the first
 * moments of load, when every object of the requests under way is alive. From then on one object of each request is
 * dead in the old generation until a full collection, and everything that it refers to survives with it: scavenges take
 * 30 ms and copy 20 to 40 MB, where they take 1 ms.
 */
function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/**
 * Lets the old generation double before V8 marks it again.
 *
 * Marking begins where the heap, with the memory of buffers outside of it, has grown by a tenth and the size of the young
 * generation. Bodies of requests and batches on their way to the trace store come and go by tens of megabytes, so that
 * under load a heap of 45 MB of which hardly anything is dead was marked once a second: 30 ms of the main thread each
 * time, and as much again of V8's other threads, while requests waited.
 */
function markLessOften(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
