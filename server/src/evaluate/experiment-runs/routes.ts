import { operations } from '@plumbline/contract'
import type { Connecting } from '../../outbound/connections/connecting.ts'
import { type Route, route } from '../../requests/verb.ts'
import { cancel } from './cancel.ts'
import { cases } from './cases.ts'
import { makeCreate } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { makeRetry } from './retry.ts'

/** `notify` tells the poller that cases are due. */
export const experimentRunRoutes = (
  { keyring, endpointPolicy }: Pick<Connecting, 'keyring' | 'endpointPolicy'>,
  notify: () => void,
): Route[] => [
  route(operations.experimentRuns.list, list),
  route(operations.experimentRuns.get, get),
  route(operations.experimentRuns.create, makeCreate({ keyring, endpointPolicy, notify })),
  route(operations.experimentRuns.cancel, cancel),
  route(operations.experimentRuns.retry, makeRetry(notify)),
  route(operations.experimentRuns.cases, cases),
]
