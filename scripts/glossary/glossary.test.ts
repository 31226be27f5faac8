/** docs/glossary.md is the one place to change a word: what it bans is in no source file. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { boundNames } from './bound-names.ts'

const root = resolve(import.meta.dirname, '../..')
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const [, names = ''] = glossary.split('## Names that nothing has')

/** The rows of the tables after a heading, as cells without their back-quotes. */
const rows = names
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
const banned = new Set(rows.flatMap(([name, , reason]) => (reason === undefined ? [name!] : [])))
const exceptions = rows.flatMap(([list, glob, reason]) =>
  reason === undefined ? [] : list!.split(', ').map((name) => ({ name, glob: glob! })),
)
const sourceFiles = (): string[] =>
  globSync('{contract,storage,server,sdk,cli,web,scripts,fixtures,examples}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /node_modules|dist/.test(path),
  })

const irregular =
  'begun broken built chosen done drawn driven found given gone grown held kept known laid lost made meant met paid said seen sent shown sold spent taken thrown told understood won written'.split(
    ' ',
  )
const nounsOnEd = ['bed', 'deed', 'embed', 'feed', 'need', 'seed', 'shed', 'speed', 'weed']
const isParticiple = (name: string): boolean =>
  irregular.includes(name) || (/^[a-z]+ed$/.test(name) && !nounsOnEd.includes(name))
const prepositions = new Set(
  'about above across after against among around at before behind below beside between beyond by except for from in inside into left of off on onto out outside over past right since through to toward under until up upon via with within without'.split(
    ' ',
  ),
)
/** Words on -ing that name a thing or, as an operation does, a resource. */
const nounsOnIng =
  'binding building encoding grouping heading judging keyring mapping masking meaning padding ping pricing rating recording sampling setting spacing string thing timing warning'.split(
    ' ',
  )
/** A participle or a preposition says in which relation something stands, and not what it is. */
const isRelation = (name: string): boolean =>
  isParticiple(name) || prepositions.has(name) || (/^[a-z]+ing$/.test(name) && !nounsOnIng.includes(name))
const isExcepted = (path: string, name: string): boolean =>
  exceptions.some((exception) => exception.name === name && matchesGlob(path, exception.glob))

describe('the glossary', () => {
  it('bans names, and excepts stored ones with a reason', () => {
    assert.ok(banned.size > 10)
    assert.ok(exceptions.length > 5)
    for (const { name } of exceptions) assert.ok(banned.has(name), name)
  })

  it('is followed by parameters, variables, functions and fields of types', () => {
    const mention = new RegExp(`\\b(?:${[...banned].join('|')})\\b`)
    const offences = sourceFiles().flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return mention.test(text)
        ? boundNames(path, text)
            .filter(({ name }) => banned.has(name) && !isExcepted(path, name))
            .map(({ name, line }) => `${path}:${line} ${name}`)
        : []
    })
    assert.deepEqual(offences, [])
  })

  it('bans participles and prepositions as names of parameters, which say what they are, and of functions, which are verbs', () => {
    const offences = sourceFiles().flatMap((path) =>
      boundNames(path, readFileSync(join(root, path), 'utf8'))
        .filter(({ name, kind }) => kind !== 'other' && isRelation(name))
        .map(({ name, line }) => `${path}:${line} ${name}`),
    )
    assert.deepEqual(offences, [])
  })
})

describe('the search for participles and prepositions', () => {
  it('knows them from nouns', () => {
    assert.deepEqual(
      [
        'changed',
        'seen',
        'made',
        'waiting',
        'within',
        'seed',
        'need',
        'string',
        'change',
        'isChanged',
      ].filter(isRelation),
      ['changed', 'seen', 'made', 'waiting', 'within'],
    )
  })
})

describe('the search for names', () => {
  it('tells parameters and functions from other names', () => {
    const text =
      'function a(b: { c: string }, { d }: E) {} const f = () => 1; const g = 2; for (const h of i) {}'
    assert.deepEqual(
      boundNames('a.ts', text).map(({ name, kind }) => `${name} ${kind}`),
      ['a function', 'b parameter', 'd other', 'c other', 'f function', 'g other', 'h other'],
    )
  })

  const namesIn = (text: string): string[] => boundNames('a.ts', text).map(({ name }) => name)

  for (const [what, text] of Object.entries({
    'a parameter': 'export function f(wanted: string): void {}',
    'a parameter of an arrow function': 'export const f = (wanted = 1) => 2',
    'a parameter that is taken apart': 'export const f = ({ a: { b: wanted } }: Fields) => 2',
    'a rest parameter': 'export const f = (...wanted: string[]) => 2',
    'a parameter of a method': 'class A { b(wanted: string) {} }',
    'a variable': 'const wanted = 1',
    'a variable of a loop': 'for (const wanted of []) {}',
    'an array that is taken apart': 'const [, wanted] = pair',
    'what is caught': 'try {} catch (wanted) {}',
    'a function': 'function wanted() {}',
    'a field of a type': 'interface A { readonly wanted?: string }',
    'a field of a class': 'class A { readonly wanted = 1 }',
  }))
    it(`sees ${what}`, () => assert.ok(namesIn(text).includes('wanted'), text))

  it('does not take uses, strings and comments for names', () => {
    assert.deepEqual(namesIn('// wanted\nlog("wanted", fields.wanted, wanted)'), [])
  })
})
