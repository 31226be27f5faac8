import { ControlStoreAway } from '@plumbline/storage/control'

/**
 * Caches a value, and reads it again after `forget` or a failed read. While the control plane is unavailable the last value
 * is used: nobody can change it in the meantime, and reading and recording continue.
 */
export function makeCachedValue<Value>(read: () => Promise<Value>): {
  get(): Promise<Value>
  forget(): void
} {
  let reading: Promise<Value> | undefined
  let last: { readonly value: Value } | undefined

  const readAgain = (): Promise<Value> => {
    const attempt: Promise<Value> = read().then(
      (value) => {
        last = { value }
        return value
      },
      (error: unknown) => {
        if (reading === attempt) reading = undefined
        if (error instanceof ControlStoreAway && last !== undefined) return last.value
        throw error
      },
    )
    reading = attempt
    return attempt
  }

  return {
    get: () => reading ?? readAgain(),
    forget() {
      reading = undefined
    },
  }
}
