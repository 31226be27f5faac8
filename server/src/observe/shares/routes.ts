import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { makeCreate } from './create.ts'
import { delete as remove } from './delete.ts'
import { makeList } from './list.ts'
import type { ShareSigner } from './share-signature.ts'

export const shareRoutes = (signer: ShareSigner): Route[] => [
  route(operations.shares.list, makeList(signer)),
  route(operations.shares.create, makeCreate(signer)),
  route(operations.shares.delete, remove),
]
