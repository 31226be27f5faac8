import { createClient } from '@plumbline/sdk'
import { patientFetch } from './patient-fetch.ts'

/** The service's own client, which waits when the server is busy. */
export const connect = ({ url, key }: { readonly url: string; readonly key: string }) =>
  createClient({ baseUrl: url, apiKey: key, fetch: patientFetch })

export type Client = ReturnType<typeof connect>
