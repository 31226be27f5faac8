/**
 * Whether the service responds. While it does not, queries pause as they do without a network: rows stay, a band says
 * "Reconnecting", and one probe retries for all of them.
 */
import { onlineManager } from '@tanstack/react-query'
import { basePath } from '../ui/base-path.ts'

const probeEveryMs = 2000

/** Resolves to whether anything responds at the address of the service, in whatever state it is. */
export async function isReachable(): Promise<boolean> {
  try {
    const { status } = await fetch(`${basePath}/healthz`, { cache: 'no-store' })
    // A proxy in front of a dead service says so.
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
