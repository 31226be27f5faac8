import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

describe('capacity', () => {
  it('an operator sees the free space of the disk, the reserve and the quota', async () => {
    const page = await screens.open('/settings/workspace')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Capacity' }).click()
    const disk = page.getByRole('region', { name: 'Data directory disk' })
    // The screen polls every few seconds, and a busy disk may not respond in time.
    await eventually(async () =>
      assert.match(
        await disk.innerText(),
        /Free\s*[\d.]+ [KMGT]B\s*Size\s*[\d.]+ [KMGT]B\s*Reserve\s*\d+ MB/,
      ),
    )
    const spool = page.getByRole('region', { name: 'Records waiting for the trace store' })
    assert.match(await spool.innerText(), /Quota\s*2 GB/)
    await assertAccessible(page)
  })

  it('an operator is warned on every tab of the settings before recording stops, and then that it has', async () => {
    const page = await screens.open('/settings/you')
    const free = { sizeBytes: 100 * 1024 ** 3, reserveBytes: 512 * 1024 ** 2 }
    const spool = { records: 0, bytes: 0, quotaBytes: 2 * 1024 ** 3 }
    for (const [state, warning] of [
      ['low', 'The disk of the data directory is filling up: 2 GB of 100 GB are free.'],
      ['full', 'Recording has stopped: 100 MB of 100 GB are free.'],
    ] as const) {
      await page.route('**/capacity', (route) =>
        route.fulfill({ json: { capacity: { state, warning, disk: { ...free, freeBytes: 0 }, spool } } }),
      )
      await page.reload()
      await page.getByRole('alert').filter({ hasText: warning }).waitFor()
      await assertAccessible(page)
    }
  })

  it('other users see none of it', async () => {
    const page = await screens.open('/settings/you')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.route('**/session', async (route) => {
      const response = await route.fetch()
      const session = (await response.json()) as object
      await route.fulfill({ response, json: { ...session, isOperator: false } })
    })
    await page.reload()
    const navigation = page.getByRole('navigation', { name: 'Settings' })
    await navigation.getByRole('link', { name: 'Jobs' }).waitFor()
    assert.equal(await navigation.getByRole('link', { name: 'Capacity' }).count(), 0)
    assert.ok(requests.includes('/session'))
    assert.ok(!requests.includes('/capacity'))
  })
})
