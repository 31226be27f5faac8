/** V8 settings for the whole process, set before it serves requests. */
import { setFlagsFromString } from 'node:v8'
import { isLittleMemory } from '@plumbline/storage/traces'

export function setEngineFlags(): void {
  keepRequestsYoung()
  if (!isLittleMemory()) markLessOften()
}

/**
 * Keeps V8 from allocating request objects in the old generation.
 *
 * For each object literal in the code, V8 counts how many of its objects survive a scavenge. If nearly all of about a
 * hundred do, it allocates all later ones in the old generation. The deciding scavenge may come in the first moments of
 * load, when the objects of all requests in progress are alive. From then on each request leaves one dead object in the old
 * generation until a full collection, and everything that it refers to survives with it: scavenges take 30 ms and copy 20 to
 * 40 MB, instead of 1 ms.
 */
function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/**
 * Lets the old generation double before V8 marks it again.
 *
 * V8 starts marking when the heap, including external buffers, has grown by a tenth plus the size of the young generation.
 * Request bodies and batches on their way to the trace store come and go by tens of megabytes, so under load a heap of 45 MB
 * with hardly any garbage was marked once a second: 30 ms of the main thread each time, and as much of V8's other threads,
 * while requests waited.
 */
function markLessOften(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
