import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { forget, readRemembered, remember } from './remembered.ts'

/** Storage with a given capacity. */
function setStorage(roomBytes: number): void {
  const values = new Map<string, string>()
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => values.get(key) ?? null,
      removeItem: (key: string) => values.delete(key),
      setItem: (key: string, value: string) => {
        if (value.length > roomBytes) throw new DOMException('Full.', 'QuotaExceededError')
        values.set(key, value)
      },
    },
  })
}

const storage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
after(() => {
  if (storage !== undefined) Object.defineProperty(globalThis, 'localStorage', storage)
  else Reflect.deleteProperty(globalThis, 'localStorage')
})

it('a value that does not fit in storage lasts as long as the page, replacing the earlier one', () => {
  setStorage(5)
  remember('draft', 'short')
  remember('draft', 'too long')
  assert.equal(readRemembered('draft'), 'too long')
  remember('draft', 'again')
  assert.equal(readRemembered('draft'), 'again')
  remember('draft', 'too long')
  forget('draft')
  assert.equal(readRemembered('draft'), null)
})
