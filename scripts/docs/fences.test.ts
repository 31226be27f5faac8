import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { renderPage } from '../help/render-page.ts'
import { type Fence, fencesOfFile, readFences } from './fences.ts'

const root = join(import.meta.dirname, '../..')
const fences = readFences()
const placeOf = ({ file, line }: Fence): string => `${file}:${line}`

describe('the code in the documentation', () => {
  it('has a language everywhere, and is run by a test or says why not', () => {
    assert.deepEqual(fences.filter(({ language }) => language === '').map(placeOf), [])
    const reasons = new Map<string, number>()
    for (const { notRun } of fences)
      if (notRun !== undefined) reasons.set(notRun, (reasons.get(notRun) ?? 0) + 1)
    // Adding to these counts is a decision: all other code is run by `snippets.slow.test.ts` or the test that it names.
    assert.deepEqual(Object.fromEntries(reasons), {
      'changes the machine or the checkout': 2,
      'is an excerpt': 2,
      'is what the service sends': 1,
      'it is the whole suite': 1,
      'needs a client of Basalt': 2,
      'needs a cluster': 1,
      'needs an agent': 1,
      'needs an engine for containers': 2,
    })
  })

  it('names tests that exist', () => {
    const testPaths = fences.flatMap(({ test = [] }) => test)
    assert.ok(testPaths.length > 0)
    for (const test of testPaths) assert.ok(existsSync(join(root, test)), test)
  })

  it('hides its notes for tests from readers of the help', () => {
    const { html } = renderPage('page', '```sh not-run="needs a cluster"\nhelm install\n```\n')
    assert.equal(html, '<pre><code class="language-sh">helm install\n</code></pre>\n')
  })

  it('has Helm values that the chart accepts', () => {
    const schema = JSON.parse(readFileSync(join(root, 'deploy/helm/plumbline/values.schema.json'), 'utf8'))
    const validate = new Ajv({ strict: false }).compile(schema)
    const [first, ...additions] = fencesOfFile('docs/kubernetes.md')
      .filter(({ language }) => language === 'yaml')
      .map(({ code }) => parse(code) as object)
    assert.equal(additions.length, 1)
    for (const values of [first, { ...first, ...additions[0] }])
      assert.ok(validate(values), JSON.stringify(validate.errors))
    assert.equal(validate({ ...first, setings: {} }), false)
  })
})
