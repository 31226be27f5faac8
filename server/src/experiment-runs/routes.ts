import { operations } from '@plumbline/contract'
import type { Connecting } from '../connections/connecting.ts'
import { type Route, route } from '../verb.ts'
import { cancel } from './cancel.ts'
import { cases } from './cases.ts'
import { makeCreate } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { makeRetry } from './retry.ts'

/** `wake` says that something is due. */
export const experimentRunRoutes = (
  { keyring, endpointPolicy }: Pick<Connecting, 'keyring' | 'endpointPolicy'>,
  wake: () => void,
): Route[] => [
  route(operations.experimentRuns.list, list),
  route(operations.experimentRuns.get, get),
  route(operations.experimentRuns.create, makeCreate({ keyring, endpointPolicy, wake })),
  route(operations.experimentRuns.cancel, cancel),
  route(operations.experimentRuns.retry, makeRetry(wake)),
  route(operations.experimentRuns.cases, cases),
]
