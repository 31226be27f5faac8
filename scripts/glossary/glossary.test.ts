/** docs/glossary.md is the one place to change a word: no source file uses the names that it bans. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { type BoundName, boundNames } from './bound-names.ts'

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
const banned = new Set(rows.flatMap(([list, , reason]) => (reason === undefined ? list!.split(', ') : [])))
const exceptions = rows.flatMap(([list, glob, reason]) =>
  reason === undefined ? [] : list!.split(', ').map((name) => ({ name, glob: glob! })),
)
const sourceFiles = (): string[] =>
  globSync('{contract,storage,server,sdk,cli,web,scripts,fixtures,examples}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /node_modules|dist/.test(path),
  })

/** Every name in every source file, collected once, since parsing takes longer than all the searches. */
const allNames = sourceFiles().flatMap((path) =>
  boundNames(path, readFileSync(join(root, path), 'utf8')).map((binding) => ({ path, ...binding })),
)

const irregular =
  'begun bound built chosen drawn driven fed found given gone grown heard held hidden joined kept known laid lost made meant met named paid proven said seen sent shown sold spent stored taken thought thrown told torn understood won written'.split(
    ' ',
  )
/** Common adjectives for fields and variables. */
const adjectives = ['broken', 'done']
const nounsOnEd = ['bed', 'deed', 'embed', 'feed', 'need', 'seed', 'shed', 'speed', 'weed']
const isParticiple = (name: string): boolean =>
  irregular.includes(name) ||
  adjectives.includes(name) ||
  (/^[a-z]+ed$/.test(name) && !nounsOnEd.includes(name))
const prepositions =
  'about above across against among around at behind below beside between beyond by except for in inside into of off on onto out outside over past per through toward under upon via with within without'.split(
    ' ',
  )
/** The ends of a range and the sides of a change: as names of values they come in pairs, which makes them clear. */
const pairedPrepositions = ['after', 'before', 'from', 'left', 'right', 'since', 'to', 'until', 'up']
/** Words ending in -ing that name a thing or, in operations, a resource. */
const nounsOnIng =
  'binding building encoding grouping heading judging keyring mapping masking meaning padding ping pricing rating recording sampling setting spacing string thing timing warning'.split(
    ' ',
  )
/** A participle or preposition names a relation, not the thing itself. */
const isRelation = (name: string): boolean =>
  isParticiple(name) ||
  prepositions.includes(name) ||
  pairedPrepositions.includes(name) ||
  (/^[a-z]+ing$/.test(name) && !nounsOnIng.includes(name))
/** `joinedOf`, `begunAt`: neither a verb for a function nor a noun for its result. */
function isRelationOfTwo(name: string): boolean {
  const [, participle, preposition] = /^([a-z]+)([A-Z][a-z]+)$/.exec(name) ?? []
  return (
    participle !== undefined &&
    isParticiple(participle) &&
    [...prepositions, ...pairedPrepositions, 'as'].includes(preposition!.toLowerCase())
  )
}

/**
 * Whether a name expresses only a relation. A destructured name follows its field; fields that are a claim or a count,
 * `failed: 3`, are clear enough. For variables only irregular participles are checked: `parsed` next to the call that
 * parses is a result.
 */
function isBareRelation({ name, kind, isClaim }: BoundName): boolean {
  if (kind === 'taken') return false
  if (kind === 'type') {
    const word = name.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    return isParticiple(word) || prepositions.includes(word) || pairedPrepositions.includes(word)
  }
  if (prepositions.includes(name)) return true
  if (kind === 'function' && isRelationOfTwo(name)) return true
  if (kind === 'parameter' || kind === 'function') return isRelation(name)
  return (
    !isClaim && (irregular.includes(name) || (kind === 'field' && /ed$/.test(name) && isParticiple(name)))
  )
}
const isExcepted = (path: string, name: string): boolean =>
  exceptions.some((exception) => exception.name === name && matchesGlob(path, exception.glob))

describe('the glossary', () => {
  it('bans names, and excepts stored ones with a reason', () => {
    assert.ok(banned.size > 10)
    assert.ok(exceptions.length > 5)
    for (const { name } of exceptions)
      assert.ok(banned.has(name) || isParticiple(name) || prepositions.includes(name), name)
  })

  it('is followed by parameters, variables, functions, types and fields of types', () => {
    const offences = allNames
      .filter(({ path, name }) => banned.has(name) && !isExcepted(path, name))
      .map(({ path, name, line }) => `${path}:${line} ${name}`)
    assert.deepEqual(offences, [])
  })

  it('bans participles and prepositions as names: values say what they are, and functions are verbs', () => {
    const offences = allNames
      .filter((binding) => isBareRelation(binding) && !isExcepted(binding.path, binding.name))
      .map(({ path, name, line }) => `${path}:${line} ${name}`)
    assert.deepEqual(offences, [])
  })
})

describe('the search for participles and prepositions', () => {
  it('distinguishes them from nouns', () => {
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

describe('the search for bare relations', () => {
  const bare = (text: string): string[] =>
    boundNames('a.ts', text)
      .filter(isBareRelation)
      .map(({ name }) => name)

  for (const [text, names] of Object.entries({
    'interface A { stored: Row; failed: number; sealed?: boolean | undefined; kept: "a" }': [
      'stored',
      'kept',
    ],
    'class A { readonly refused: Row[] = []; ended = 0 }': ['refused'],
    'const stored = read(); const parsed = parse(stored)': ['stored'],
    'const { stored, by, at: below } = row': ['below'],
    'for (const within of []) {}': ['within'],
    'const f = (from: Date, to: Date, scored: Row) => 1': ['from', 'to', 'scored'],
    'interface A { from: Date; to: Date; by: string }': ['by'],
    'interface Found {}; type Scored = Row; type Within = Row; class Gone {}; type ProvenKey = Row; class Server {}':
      ['Found', 'Scored', 'Within', 'Gone'],
    'const joinedOf = () => 1; function begunAt() {}; const createdAt = 1': ['joinedOf', 'begunAt'],
  }))
    it(`finds ${names.join(', ')} in ${text}`, () => assert.deepEqual(bare(text), names))
})

describe('the search for names', () => {
  it('distinguishes parameters and functions from other names', () => {
    const text =
      'function a(b: { c: string }, { d }: E) {} const f = () => 1; const g = 2; for (const h of i) {}'
    assert.deepEqual(
      boundNames('a.ts', text).map(({ name, kind }) => `${name} ${kind}`),
      ['a function', 'b parameter', 'd taken', 'c field', 'f function', 'g variable', 'h variable'],
    )
  })

  const namesIn = (text: string): string[] => boundNames('a.ts', text).map(({ name }) => name)

  for (const [what, text] of Object.entries({
    'a parameter': 'export function f(wanted: string): void {}',
    'a parameter of an arrow function': 'export const f = (wanted = 1) => 2',
    'a parameter that is taken apart': 'export const f = ({ a: { b: wanted } }: Fields) => 2',
    'a rest parameter': 'export const f = (...wanted: string[]) => 2',
    'a parameter of a type of functions': 'export type F = (wanted: string) => void',
    'a parameter of a method of a type': 'interface A { b(wanted: string): void }',
    'a part of a tuple': 'export type Pair = [wanted: string, other?: string]',
    'a parameter of a method': 'class A { b(wanted: string) {} }',
    'a variable': 'const wanted = 1',
    'a variable of a loop': 'for (const wanted of []) {}',
    'an array that is taken apart': 'const [, wanted] = pair',
    'what is caught': 'try {} catch (wanted) {}',
    'a function': 'function wanted() {}',
    'a type': 'type wanted = 1',
    'an interface': 'export interface wanted {}',
    'a class': 'class wanted {}',
    'a field of a type': 'interface A { readonly wanted?: string }',
    'a field of a class': 'class A { readonly wanted = 1 }',
  }))
    it(`sees ${what}`, () => assert.ok(namesIn(text).includes('wanted'), text))

  it('does not count uses, strings and comments as names', () => {
    assert.deepEqual(namesIn('// wanted\nlog("wanted", fields.wanted, wanted)'), [])
  })
})
