import { after, before } from 'node:test'
import { testReplacing } from './replace-suite.ts'
import type { TraceStore } from './store.ts'
import { testTraceStore } from './store-suite.ts'
import { openTestTraceStore } from './testing.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

testTraceStore(() => store)
testReplacing(() => store)
