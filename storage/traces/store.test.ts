import { after, before } from 'node:test'
import { testListing } from './list-suite.ts'
import { testMetrics } from './metrics-suite.ts'
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
testListing(() => store)
testMetrics(() => store)
testReplacing(() => store)
