import { createOperations, type Operations } from '@plumbline/sdk'
import { makePatientFetch, patientFetch } from '../patient-fetch.ts'

/** A client that waits if the service is busy. Without a key, in a page of the service, the session authenticates. */
export const connect = ({
  url,
  key,
  fetch,
}: {
  readonly url: string
  readonly key?: string
  readonly fetch?: typeof globalThis.fetch
}): Operations =>
  createOperations({
    baseUrl: url,
    ...(key === undefined ? {} : { apiKey: key }),
    fetch: fetch === undefined ? patientFetch : makePatientFetch(fetch),
  })

export type Client = Operations
