import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { type GrpcPort, get } from './get.ts'

export const addressRoutes = (grpcPort: GrpcPort): Route[] => [route(operations.addresses.get, get(grpcPort))]
