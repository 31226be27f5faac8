import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { get } from './get.ts'
import { rehearse } from './rehearse.ts'
import { update } from './update.ts'

const { masking } = operations

export const maskingRoutes: Route[] = [
  route(masking.get, get),
  route(masking.update, update),
  route(masking.rehearse, rehearse),
]
