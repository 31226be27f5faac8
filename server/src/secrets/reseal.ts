/** Values of a former secret, encrypted with the one of today. */
import type { SealedValue } from '@plumbline/storage/control'
import type { Keyring } from './keyring.ts'

interface ResealCounts {
  resealed: number
  /** Values that are needed and that no known secret opens. */
  unreadable: number
}

/** `reseal` returns a value as it is to be stored; `counts` grow with each call. */
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

/** That a secret does not open a value is the answer to the question whether it does. */
function openOrNot(keyring: Keyring, sealedText: string, workspaceId: string): string | undefined {
  try {
    return keyring.open(sealedText, workspaceId)
  } catch {
    return undefined
  }
}
