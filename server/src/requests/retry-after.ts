/** When a client should retry after a failure. */
import { ServiceError } from '@plumbline/contract'

/** A rejection with the time after which the client should retry. */
export class RateLimited extends ServiceError<'rate_limited'> {
  readonly retryAfterSeconds: number
  readonly policy: string
  readonly state: string

  constructor(perMinute: number, retryAfterSeconds: number) {
    super('rate_limited', { perMinute })
    this.retryAfterSeconds = retryAfterSeconds
    this.policy = `"default";q=${perMinute};w=60`
    this.state = `"default";r=0;t=${retryAfterSeconds}`
  }
}

/** After a store could not accept the write. */
const secondsOfStores = 5

/** In seconds; undefined for a failure that a retry would repeat. */
export function retryAfterSeconds(failure: ServiceError): number | undefined {
  if (failure instanceof RateLimited) return failure.retryAfterSeconds
  return failure.code === 'unavailable' || failure.code === 'store_full' ? secondsOfStores : undefined
}
