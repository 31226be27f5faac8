/** The one life cycle of everything that runs beside requests. */
import type { Logger } from 'pino'

export interface Service {
  /** For the operator, when it does not stop in order. */
  readonly name: string
  /** Takes up what an earlier process left. */
  start(): void | Promise<void>
  /** Begins nothing new, and resolves once what is under way has ended or was released. */
  stop(): Promise<void>
  /** Resolves once everything that was acknowledged so far is done. */
  drained?(): Promise<void>
}

/** Services as one: they start in the order of the list, and stop in the reverse order, since later ones use earlier ones. */
export function makeServices(services: readonly Service[], logger: Logger): Required<Service> {
  return {
    name: 'services',
    async start() {
      for (const service of services) await service.start()
    },
    async stop() {
      // The others stop all the same: they hold what would be lost.
      for (const service of services.toReversed())
        await service
          .stop()
          .catch((error: unknown) =>
            logger.warn({ err: error, service: service.name }, 'a service did not stop in order'),
          )
    },
    async drained() {
      for (const service of services) await service.drained?.()
    },
  }
}

/** What is only opened and closed. */
export const makeCloser = (name: string, close: () => void | Promise<void>): Service => ({
  name,
  start: () => undefined,
  stop: async () => close(),
})
