import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { openControlStore } from '../store/open.ts'
import { snapshotFile } from './snapshot.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

it('a snapshot has everything written before it, however much is written meanwhile', async () => {
  const file = join(folder, 'control.db')
  const store = await openControlStore({ file })
  const { features } = store.scopedTo({ workspaceId: 'default' })
  const write = (slug: string) => features.create({ slug, name: slug }, new Date())
  for (let each = 0; each < 50; each++) await write(`before-${each}`)
  const snapshot = snapshotFile(file, join(folder, 'snapshot.db'))
  for (let each = 0; each < 50; each++) await write(`after-${each}`)
  await snapshot
  await store.close()

  const copy = await openControlStore({ file: join(folder, 'snapshot.db') })
  const slugs = new Set(
    (await copy.scopedTo({ workspaceId: 'default' }).features.list()).map(({ slug }) => slug),
  )
  for (let each = 0; each < 50; each++) assert.ok(slugs.has(`before-${each}`))
  await copy.close()
})
