import { createOperations, type Operations } from '@plumbline/sdk'
import { patientFetch } from '../patient-fetch.ts'

/** A client which waits when the service is busy. Without a key, in a page of the service, the session speaks. */
export const connect = ({ url, key }: { readonly url: string; readonly key?: string }): Operations =>
  createOperations({ baseUrl: url, ...(key === undefined ? {} : { apiKey: key }), fetch: patientFetch })

export type Client = Operations
