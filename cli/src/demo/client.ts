import { createClient } from '@plumbline/sdk'
import { patientFetch } from '../patient-fetch.ts'

/** A client which waits when the service is busy. */
export const connect = ({ url, key }: { readonly url: string; readonly key: string }) =>
  createClient({ baseUrl: url, apiKey: key, fetch: patientFetch })

export type Client = ReturnType<typeof connect>
