/** docs/glossary.md bans phrases as well as names: no document and no comment has one. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'

const root = resolve(import.meta.dirname, '../..')
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const [, rest = ''] = glossary.split('## Phrases that no sentence has')
const [section = ''] = rest.split('\n## ')

/** The first cells of the table without their back-quotes, as regular expressions. */
const phrases = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|')[1]!.trim().replaceAll('`', ''))
const pattern = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'gi')
const findPhrases = (text: string): string[] => text.match(pattern) ?? []

const files = (glob: string): string[] =>
  globSync(glob, { cwd: root, exclude: (path) => /node_modules|dist|captures/.test(path) })
const documents = files('{*,docs/*,deploy/**/*,{sdk,python,cli,web,server,examples}/**/*}.md').filter(
  // A changelog is history, and the glossary quotes them.
  (path) => path !== 'CHANGELOG.md' && path !== 'docs/glossary.md',
)
const sources = files(
  '{contract,storage,server,sdk,cli,web,scripts,fixtures,examples,python}/**/*.{ts,tsx,mjs,py}',
)

/** The comment lines of a source file, and the comments at the end of lines with code. */
const commentLines = (text: string): { readonly line: number; readonly text: string }[] =>
  text.split('\n').flatMap((line, index) => {
    const comment = /^\s*(?:\/\*|\*|\/\/|#)(.*)$|\s(?:\/\/|#) (.*)$/.exec(line)
    return comment === null ? [] : [{ line: index + 1, text: comment[1] ?? comment[2] ?? '' }]
  })

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('the phrases of the glossary', () => {
  it('are a table', () => assert.ok(phrases.length >= 5))

  it('are in no document', () => {
    const offences = documents.flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((text, index) => findPhrases(text).map((phrase) => `${path}:${index + 1} ${phrase}`)),
    )
    assert.deepEqual(offences, [])
  })

  it('are in no comment', () => {
    const offences = sources.flatMap((path) =>
      commentLines(read(path)).flatMap(({ line, text }) =>
        findPhrases(text).map((phrase) => `${path}:${line} ${phrase}`),
      ),
    )
    assert.deepEqual(offences, [])
  })
})

describe('the search for comments', () => {
  it('finds them alone on a line, in blocks and after code', () => {
    const text = ['// first', 'const a = "x" // second', '/** third */', ' * fourth', 'b = 1  # fifth'].join(
      '\n',
    )
    assert.deepEqual(
      commentLines(text).map(({ line }) => line),
      [1, 2, 3, 4, 5],
    )
    assert.deepEqual(commentLines('const url = "https://a.example"; const b = whoever'), [])
  })
})
