import assert from 'node:assert/strict'
import { resolveObjectURL } from 'node:buffer'
import { it } from 'node:test'
import { downloadText } from './download.ts'

it('a file stays available for a while after the press, for Safari, but not forever', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] })
  const link = { href: '', download: '', click: () => undefined }
  Object.assign(globalThis, { document: { createElement: () => link } })
  test.after(() => Object.assign(globalThis, { document: undefined }))
  downloadText('cases.csv', 'a,b', 'text/csv')
  assert.equal(link.download, 'cases.csv')
  assert.equal(await resolveObjectURL(link.href)?.text(), 'a,b')
  test.mock.timers.tick(3_600_000)
  assert.equal(resolveObjectURL(link.href), undefined)
})
