import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { buildHelp } from './build-help.ts'
import { chapters } from './contents.ts'
import { renderPage } from './render-page.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))
await buildHelp(root, folder)
const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
const pages = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

describe('the help', () => {
  it('has each page of docs/ once', () => {
    const files = globSync('*.md', { cwd: join(root, 'docs') }).map((name) => name.replace('.md', ''))
    assert.deepEqual(chapters.flatMap((chapter) => chapter.pages).sort(), files.sort())
  })

  it('has no broken links', () => {
    const idsOf = (text: string): Set<string> =>
      new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!))
    const broken: string[] = []
    for (const [name, text] of pages) {
      for (const [, href] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (/^(?:https?:|mailto:|\.\.\/(?:app\/|docs$))/.test(href!)) continue
        const [page, anchor] = href!.split('#')
        const target = pages.get(page === '' ? name : page!)
        if (target === undefined || (anchor && !idsOf(target).has(anchor))) broken.push(`${name}: ${href}`)
      }
    }
    assert.deepEqual(broken, [])
  })

  it('loads nothing from other sites', () => {
    for (const [name, text] of pages)
      assert.doesNotMatch(text, /<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\//, name)
    assert.doesNotMatch(readFileSync(join(folder, 'help.css'), 'utf8'), /url\(|@import/)
  })

  it('indexes each section by its words, with a valid address', () => {
    const sections = JSON.parse(readFileSync(join(folder, 'sections.json'), 'utf8')) as {
      address: string
      heading: string
      text: string
    }[]
    assert.equal(new Set(sections.map(({ address }) => address)).size, sections.length)
    for (const { address } of sections) assert.ok(pages.has(address.split('#')[0]!), address)
    const mask = sections.find(({ address }) => address === 'sdk.html#mask')!
    assert.match(mask.text, /gets every recorded value before it leaves the process/)
  })
})

it('the text of a page stays text and never becomes markup', () => {
  const { html, sections } = renderPage(
    'x',
    '# A `<b>`\n\n<script>alert(1)</script>\n\n`<i>` & [out](../other/file.ts)',
  )
  assert.doesNotMatch(html, /<script|<b>|<i>|file\.ts/)
  assert.equal(sections[0]!.heading, 'A <b>')
})
