import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { allOperations, openApiDocument } from '@plumbline/contract'
import { type OpenApiDocument, pascal, pythonOperations, snake } from './operations.ts'

describe('the operations of the Python client', () => {
  // Safe: the type covers only what the generator reads.
  const text = pythonOperations(openApiDocument() as unknown as OpenApiDocument)

  it('match the current contract: run `npm run openapi`', () => {
    assert.equal(readFileSync(new URL('../../python/plumbline/operations.py', import.meta.url), 'utf8'), text)
  })

  it('have a method for each operation that takes no file', () => {
    const files = new Set(['audit.export', 'exchange.import', 'files.put'])
    for (const { name } of allOperations.filter(({ name }) => !files.has(name))) {
      const [resource = '', verb = ''] = name.split('.')
      const methods = text.split(`class ${pascal(resource)}Operations(`)[1]?.split('\nclass ')[0] ?? ''
      assert.match(methods, new RegExp(`def ${snake(verb)}\\w*\\(`), name)
    }
  })

  it('have Python-style names and complete types', () => {
    assert.match(text, /def get\(self, slug: str, \*, version: str = UNSET, tag: str = UNSET/)
    assert.match(text, /feature_slug: str = UNSET/)
    assert.match(text, /class Prompt\(TypedDict\):/)
    assert.match(text, /responseFormat/)
  })
})
