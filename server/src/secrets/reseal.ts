/** Re-encrypts values of former secrets with the current one. */
import type { SealedValue } from '@plumbline/storage/control'
import type { Keyring } from './keyring.ts'

interface ResealCounts {
  resealed: number
  /** Values in use that no known secret decrypts. */
  unreadable: number
}

/** `reseal` returns the value to store; `counts` add up over all calls. */
export function makeReseal(
  keyring: Keyring,
  formerKeyrings: readonly Keyring[],
): { readonly reseal: (value: SealedValue) => string; readonly counts: ResealCounts } {
  const counts: ResealCounts = { resealed: 0, unreadable: 0 }
  const reseal = ({ sealed, workspaceId, isInUse }: SealedValue): string => {
    if (openOrNot(keyring, sealed, workspaceId) !== undefined) return sealed
    for (const former of formerKeyrings) {
      const text = openOrNot(former, sealed, workspaceId)
      if (text === undefined) continue
      counts.resealed += 1
      return keyring.seal(text, workspaceId)
    }
    if (isInUse) counts.unreadable += 1
    return sealed
  }
  return { reseal, counts }
}

/** Failing to decrypt only means that the value was encrypted with another secret. */
function openOrNot(keyring: Keyring, sealedText: string, workspaceId: string): string | undefined {
  try {
    return keyring.open(sealedText, workspaceId)
  } catch {
    return undefined
  }
}
