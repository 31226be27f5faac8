import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations } from '@plumbline/contract'
import { describeAccess, describeErrors, referencePage } from './page.ts'
import { describeType, fieldRows, table } from './schema-tables.ts'

describe('the reference', () => {
  const page = referencePage()
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)

  it('has a section for every operation, with its summary and its notes', () => {
    const sections = new Map(page.split(/^### /m).map((text) => [text.slice(0, text.indexOf('\n')), text]))
    for (const { name, method, path, summary, notes = [] } of allOperations) {
      const section = sections.get(name) ?? ''
      for (const text of [`\`${method} ${path}\``, summary, ...notes]) {
        assert.ok(section.includes(text), `${name}: ${text}`)
      }
    }
  })

  it('has no two headings with one anchor', () => {
    const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(/[^\w-]/g, ''))
    assert.deepEqual(
      anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index),
      [],
    )
  })

  it('has no trailing spaces, no blank lines in a row, and one newline at its end', () => {
    assert.doesNotMatch(page, /[ \t]$/m)
    assert.doesNotMatch(page, /\n\n\n/)
    assert.match(page, /[^\n]\n$/)
  })
})

describe('access to an operation', () => {
  it('names the scopes of keys and the roles of people', () => {
    assert.equal(
      describeAccess({ scope: 'ingest', orScope: 'manage', role: 'editor' }),
      'API keys with the scope `ingest` or `manage`; people with the role `editor` or higher',
    )
  })

  it('says so if no API key may call an operation', () => {
    assert.equal(describeAccess({ scope: null, role: 'operator' }), 'operators; no API key')
  })
})

describe('the errors of an operation', () => {
  const everywhere = '[those of every operation](#errors)'

  it('are sorted by status, without those that every operation shares', () => {
    assert.equal(
      describeErrors({ method: 'POST', errors: ['already_exists', 'invalid_request', 'rate_limited'] }),
      `400 \`invalid_request\`, 409 \`already_exists\`, and ${everywhere}`,
    )
  })

  it('include the errors of a file, which operations with a JSON body share', () => {
    assert.equal(
      describeErrors({ method: 'POST', takes: ['text/csv'], errors: ['body_too_large'] }),
      `400 \`malformed_encoding\`, 413 \`body_too_large\`, 415 \`unsupported_media_type\`, 415 \`unsupported_encoding\`, and ${everywhere}`,
    )
    assert.equal(describeErrors({ method: 'POST', errors: [] }), everywhere)
  })
})

describe('a table', () => {
  it('escapes bars and joins lines in its cells', () => {
    assert.equal(
      table(['A', 'B'], [['x|y\n  z', '']]),
      ['| A | B |', '| --- | --- |', '| x\\|y z | |'].join('\n'),
    )
  })
})

describe('the rows of a schema', () => {
  it('follow into objects and lists of objects without a name, with the path', () => {
    const inner = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } }
    assert.deepEqual(
      fieldRows({
        type: 'object',
        required: ['many'],
        properties: {
          many: { type: 'array', maxItems: 9, items: inner, description: 'Several.' },
          single: inner,
        },
      }),
      [
        ['`many`', 'array of object (at most 9 elements)', 'yes', 'Several.'],
        ['`many[].id`', 'uuid', 'yes', ''],
        ['`single`', 'object', '', ''],
        ['`single.id`', 'uuid', 'yes', ''],
      ],
    )
  })

  it('name a type with its range, its values, its alternatives and its shape', () => {
    const types = [
      { type: 'integer', minimum: 1, maximum: 5 },
      { type: 'number', minimum: 0 },
      { type: ['string', 'null'], minLength: 1, maxLength: 9 },
      { type: ['string', 'number', 'null'], format: 'date-time' },
      { type: 'string', minLength: 1 },
      { type: 'array', minItems: 2, items: { type: 'boolean' } },
      { type: 'object', minProperties: 1 },
      { type: 'string', enum: ['a', 'b'] },
      { anyOf: [{ $ref: '#/components/schemas/UserName' }, { type: 'null' }] },
      {},
    ]
    assert.deepEqual(types.map(describeType), [
      'integer (1 to 5)',
      'number (0 or more)',
      'string (1 to 9 characters) or null',
      '[timestamp](conventions.md#times) or null',
      'string (not empty)',
      'array of boolean (2 elements or more)',
      'object (not empty)',
      'one of `a`, `b`',
      '[UserName](#username) or null',
      'any JSON',
    ])
  })
})
