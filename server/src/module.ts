/** A part of the service: what it adds to the interface, and what it runs alongside requests. */
import type { Service } from './process/service.ts'
import type { Route } from './requests/verb.ts'

export interface Module {
  readonly routes?: readonly Route[]
  /** Started in this order; stopped in reverse, after the services of later modules. */
  readonly services?: readonly Service[]
}
