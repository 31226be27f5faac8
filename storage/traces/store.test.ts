import { after, before } from 'node:test'
import type { TraceStore } from './store.ts'
import { testGroups } from './testing/group-suite.ts'
import { testListing } from './testing/list-suite.ts'
import { testMetrics } from './testing/metrics-suite.ts'
import { testReplacing } from './testing/replace-suite.ts'
import { testTraceStore } from './testing/store-suite.ts'
import { openTestTraceStore } from './testing/testing.ts'
import { testTimeZones } from './testing/time-zone-suite.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

testTraceStore(() => store)
testListing(() => store)
testGroups(() => store)
testMetrics(() => store)
testReplacing(() => store)
testTimeZones(() => store)
