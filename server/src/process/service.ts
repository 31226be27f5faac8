/** The one life cycle of everything that runs alongside requests. */
import type { Logger } from 'pino'

export interface Service {
  /** For log messages when the service does not stop gracefully. */
  readonly name: string
  /** Also resumes what an earlier process left unfinished. */
  start(): void | Promise<void>
  /** Starts nothing new, and resolves once work in progress has ended or was released. */
  stop(): Promise<void>
  /** Resolves once everything acknowledged so far is done. */
  drained?(): Promise<void>
}

/** Combines services into one: they start in list order and stop in reverse, since later ones use earlier ones. */
export function makeServices(services: readonly Service[], logger: Logger): Required<Service> {
  return {
    name: 'services',
    async start() {
      for (const service of services) await service.start()
    },
    async stop() {
      // Stop the others even if one fails: they may hold data that would be lost.
      for (const service of services.toReversed())
        await service
          .stop()
          .catch((error: unknown) =>
            logger.warn({ err: error, service: service.name }, 'a service did not shut down cleanly'),
          )
    },
    async drained() {
      for (const service of services) await service.drained?.()
    },
  }
}

/** A service for a resource that only has to be closed. */
export const makeCloser = (name: string, close: () => void | Promise<void>): Service => ({
  name,
  start: () => undefined,
  stop: async () => close(),
})
