import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { list } from './list.ts'

export const organizationRoutes: Route[] = [route(operations.organizations.list, list)]
