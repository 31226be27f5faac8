import { ControlStoreAway } from '@plumbline/storage/control'

/**
 * A value that is read once, and again after it was forgotten or could not be read. While the control plane is away it is
 * what was read last: nobody can change it meanwhile, and reading and recording go on.
 */
export function makeKept<Value>(read: () => Promise<Value>): { get(): Promise<Value>; forget(): void } {
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
