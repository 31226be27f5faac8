/** Runs all suites of the embedded store on servers; several servers are shards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { openTraceStore } from '../open.ts'
import type { TraceStore } from '../store.ts'
import { testGroups } from './group-suite.ts'
import { type HttpEngine, startHttpEngine } from './http-engine.ts'
import { testListing } from './list-suite.ts'
import { testMetrics } from './metrics-suite.ts'
import { testReplacing } from './replace-suite.ts'
import { testTraceStore } from './store-suite.ts'
import { makeTraceFolder } from './testing-folder.ts'
import { testTimeZones } from './time-zone-suite.ts'

export const testServers = (servers: number): void =>
  void describe(`on ${servers} ${servers === 1 ? 'server' : 'shards'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
    const engines: HttpEngine[] = []
    let store: TraceStore
    before(async () => {
      for (let server = 0; server < servers; server++)
        engines.push(await startHttpEngine(await makeTraceFolder(join(folder, String(server)))))
      store = await openTraceStore({ url: engines.map(({ url }) => url).join(',') })
    })
    after(async () => {
      await store?.close()
      for (const engine of engines) await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    testTraceStore(() => store)
    testListing(() => store)
    testGroups(() => store, { isOnServers: true })
    testMetrics(() => store, { isOnServers: true })
    testTimeZones(() => store, { isOnServers: true })
    testReplacing(() => store)
  })
