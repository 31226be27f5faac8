import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTraceStore } from './open.ts'
import type { TraceStore } from './store.ts'
import { testGroups } from './testing/group-suite.ts'
import { testListing } from './testing/list-suite.ts'
import { testMetrics } from './testing/metrics-suite.ts'
import { testReplacing } from './testing/replace-suite.ts'
import { testTraceStore } from './testing/store-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
let engine: ChildProcess
let store: TraceStore
before(async () => {
  engine = spawn(
    process.execPath,
    [fileURLToPath(new URL('./testing/testing-http.ts', import.meta.url)), folder],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const [port] = await once(engine.stdout!, 'data')
  store = await openTraceStore({ url: `http://127.0.0.1:${String(port).trim()}` })
})
after(async () => {
  await store?.close()
  engine.stdin?.end()
  await once(engine, 'exit')
  rmSync(folder, { recursive: true, force: true })
})

testTraceStore(() => store)
testListing(() => store)
testGroups(() => store)
testMetrics(() => store)
testReplacing(() => store)
