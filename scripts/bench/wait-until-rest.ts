/** A burst leaves merges behind, which would compete with the next round. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { ServerFigures } from './server.ts'

const lookEveryMs = 1000
/** A server that uses less than this is idle. */
const restCores = 0.1

/** Waits until a server is nearly idle; returns the CPU seconds it used until then. */
export async function waitUntilRest(server: Child<object, ServerFigures>): Promise<number> {
  let cpuSum = 0
  for (;;) {
    await pause(lookEveryMs)
    const { cpuSeconds, wallSeconds } = await server.ask({})
    cpuSum += cpuSeconds
    if (cpuSeconds / wallSeconds < restCores) return cpuSum
  }
}
