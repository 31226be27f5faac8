/**
 * Whether the service responds. While it does not, queries pause as they do without a network: rows stay, a banner
 * says "Reconnecting", and a single probe retries on behalf of all queries.
 */
import { onlineManager } from '@tanstack/react-query'
import { basePath } from '../ui/base-path.ts'

const probeEveryMs = 2000

/** Resolves to whether the service responds at all, with any status. */
export async function isReachable(): Promise<boolean> {
  try {
    const { status } = await fetch(`${basePath}/healthz`, { cache: 'no-store' })
    // The status by which a proxy reports a dead service.
    return status < 502 || status > 504
  } catch {
    return false
  }
}

let isProbing = false

/** Call it when a request got no response. Pauses every query until the service responds again. */
export async function checkConnection(): Promise<void> {
  if (isProbing) return
  isProbing = true
  while (!(await isReachable())) {
    onlineManager.setOnline(false)
    await new Promise((resolve) => setTimeout(resolve, probeEveryMs))
  }
  isProbing = false
  onlineManager.setOnline(true)
}
