import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { variablesOf, variablesOfAll } from './template-variables.ts'

const typesOf = (text: string) =>
  Object.fromEntries(variablesOf(text).map(({ label, type }) => [label, type]))

describe('variablesOf', () => {
  it('lists the variables in order of first use, each once', () => {
    assert.deepEqual(variablesOf('{{ b }} {{ a | upper }} {{ b }}'), [
      { label: 'b', type: 'string' },
      { label: 'a', type: 'string' },
    ])
  })

  it('infers types from their use', () => {
    const text =
      '{{ user.name }}{{ user["age"] }}{% for x in docs %}{{ x }}{% endfor %}{% if formal and not short %}{% endif %}{{ tags | join(", ") }}{{ first[0] }}{{ name.upper() }}'
    assert.deepEqual(typesOf(text), {
      user: 'object',
      docs: 'array',
      formal: 'boolean',
      short: 'boolean',
      tags: 'array',
      first: 'array',
      name: 'string',
    })
  })

  it('distinguishes fields from methods, and handles `with`, tests and set blocks', () => {
    assert.deepEqual(
      variablesOf(
        '{{ post.title }}{{ name.title() }}{{ order.items() }}{% with a = b, c = d.e %}{{ a }}{{ c }}{{ f }}{% endwith %}' +
          '{% if g is divisibleby(h) %}{% endif %}{{ k | sum }}{% set m | upper %}{{ n }}{% endset %}{{ m }}',
      ).map(({ label, type }) => `${label}:${type}`),
      [
        ...['post:object', 'name:string', 'order:object', 'b:string', 'd:object', 'f:string', 'g:boolean'],
        ...['h:string', 'k:array', 'n:string'],
      ],
    )
  })

  it('uses the most specific use, wherever it occurs', () => {
    assert.deepEqual(typesOf('{% if user %}{{ user.name }}{% endif %}'), { user: 'object' })
    assert.deepEqual(typesOf('{% if tone %}{{ tone }}{% endif %}'), { tone: 'string' })
    assert.deepEqual(typesOf('{% if docs %}{% for d in docs %}{% endfor %}{% endif %}'), { docs: 'array' })
    assert.deepEqual(typesOf('{% if tone == "kind" %}{% endif %}'), { tone: 'string' })
    assert.deepEqual(typesOf('{% for k, v in map.items() %}{{ k }}{{ v }}{% endfor %}'), { map: 'object' })
    assert.deepEqual(typesOf('{{ a if b else c }}'), { a: 'string', b: 'boolean', c: 'string' })
  })

  it('leaves out names that the template itself defines', () => {
    const text =
      '{% for x in range(n) %}{{ loop.index }}{{ x }}{% endfor %}{% set t = a %}{{ t }}{% macro m(p, q=b) %}{{ p }}{{ q }}{{ c }}{{ caller() }}{% endmacro %}{{ m(d, q=e) }}{{ none }}{{ true }}{% set ns = namespace(i=0) %}{% set ns.i = 1 %}'
    assert.deepEqual(Object.keys(typesOf(text)), ['n', 'a', 'b', 'c', 'd', 'e'])
  })

  it('keeps a name that is bound only elsewhere', () => {
    assert.deepEqual(typesOf('{{ x }}{% set x = 1 %}'), { x: 'string' })
    assert.deepEqual(typesOf('{% for x in xs %}{% endfor %}{{ x }}'), { xs: 'array', x: 'string' })
    assert.deepEqual(typesOf('{% for x in x %}{{ x.y }}{% endfor %}'), { x: 'array' })
  })

  it('finds none in a plain text, in a raw block, or in a template that cannot be read', () => {
    for (const text of ['plain', '{% raw %}{{ x }}{% endraw %}', '{{ x', '{# {{ x }} #}', ''])
      assert.deepEqual(variablesOf(text), [], text)
  })

  it('never throws', () => {
    const part = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      ' x ',
      ' for ',
      ' in ',
      ' endfor ',
      ' set ',
      '=',
      '|',
      '.',
      '(',
      ')',
      '[',
      ']',
      ' if ',
      '1',
      "'",
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) =>
        assert.ok(Array.isArray(variablesOf(parts.join('')))),
      ),
    )
    assert.deepEqual(variablesOf(`{{ x${'+x'.repeat(50_000)} }}`).length <= 1, true)
  })
})

describe('variablesOfAll', () => {
  it('analyzes each template separately, and uses the more specific of two uses', () => {
    const texts = [
      '{% set tone = 1 %}{{ tone }} {{ docs }}',
      '{{ tone }}{% for x in docs %}{% endfor %}',
      '{% if %}',
    ]
    assert.deepEqual(variablesOfAll(texts), [
      { label: 'docs', type: 'array' },
      { label: 'tone', type: 'string' },
    ])
  })
})
