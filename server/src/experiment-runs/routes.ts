import { operations } from '@plumbline/contract'
import type { ConnectionParts } from '../connections/routes.ts'
import { type Route, route } from '../verb.ts'
import { cancel } from './cancel.ts'
import { cases } from './cases.ts'
import { makeCreate } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { makeRetry } from './retry.ts'

/** `wake` says that something is due. */
export const experimentRunRoutes = (
  { keyring, allowsPrivate }: Pick<ConnectionParts, 'keyring' | 'allowsPrivate'>,
  wake: () => void,
): Route[] => [
  route(operations.experimentRuns.list, list),
  route(operations.experimentRuns.get, get),
  route(operations.experimentRuns.create, makeCreate({ keyring, allowsPrivate, wake })),
  route(operations.experimentRuns.cancel, cancel),
  route(operations.experimentRuns.retry, makeRetry(wake)),
  route(operations.experimentRuns.cases, cases),
]
