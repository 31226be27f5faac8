import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import { renderPrompt, type Template, type Variable } from './render.ts'

function render(text: string, values: Record<string, unknown> = {}): string {
  const variables: Variable[] = Object.entries(values).map(([label, value]) => ({ label, value }))
  const rendered = renderPrompt({ text, systemText: '' }, variables)
  return rendered.type === 'rendered' ? (rendered.messages[0]?.content ?? '') : rendered.reason
}

describe('renderPrompt', () => {
  it('makes a system and a user message, the system one only when there is a system text', () => {
    const variables = [{ label: 'name', value: 'Ada' }]
    assert.deepEqual(renderPrompt({ text: 'Hi {{ name }}', systemText: 'Help {{ name }}.' }, variables), {
      type: 'rendered',
      messages: [
        { role: 'system', content: 'Help Ada.' },
        { role: 'user', content: 'Hi Ada' },
      ],
    })
    assert.deepEqual(renderPrompt({ text: 'Hi', systemText: '' }, []), {
      type: 'rendered',
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  it('escapes nothing', () => {
    assert.equal(render('{{ x }}', { x: `<b>"&'</b>` }), `<b>"&'</b>`)
  })

  it('keeps line breaks as Jinja does by default, all but one at the end', () => {
    assert.equal(render('a\n{% if true %}\nb\n{% endif %}\nc\n'), 'a\n\nb\n\nc')
    assert.equal(render('plain\n'), 'plain')
    assert.equal(render('a \n{%- if true -%}\n b {%- endif %}'), 'ab')
  })

  it('treats a text as the list of its characters, as Jinja does', () => {
    const s = 'aéb😀'
    assert.equal(render('{% for c in "abc" %}[{{ c }}]{% endfor %}'), '[a][b][c]')
    assert.equal(
      render('{% for c in s if c != "b" %}{{ loop.index }}{{ c }} {% endfor %}', { s }),
      '1a 2é 3😀 ',
    )
    assert.equal(render('{% for c in "" %}x{% else %}none{% endfor %}'), 'none')
    assert.equal(render('{{ s | first }}{{ s | last }} {{ s | list | length }}', { s }), 'a😀 4')
    assert.equal(
      render('{{ s | reverse }} {{ s | reverse | upper }} {{ [1, 2] | reverse }}', { s }),
      '😀béa 😀BÉA [2, 1]',
    )
    assert.equal(render('{{ "cabac" | sort | join }} {{ "cabac" | unique | join("-") }}'), 'aabcc c-a-b')
    assert.match(render('{% for c in s %}{% endfor %}', { s: 'x'.repeat(4e6) }), /takes too many steps/)
    assert.match(render('{% for digit in 5 %}{% endfor %}'), /cannot be rendered/)
  })

  it('knows conditions, loops, filters, macros and assignments', () => {
    const messages = [
      { role: 'user', content: ' hi ' },
      { role: 'bot', content: 'hello' },
    ]
    const loop =
      '{% for m in messages if m.content %}{{ loop.index }}:{{ m.role }}={{ m.content | trim }}{% if not loop.last %}, {% endif %}{% endfor %}'
    assert.equal(render(loop, { messages }), '1:user=hi, 2:bot=hello')
    assert.equal(
      render('{% if a and b == 2 %}yes{% elif c %}maybe{% else %}no{% endif %}', { a: true, b: 2 }),
      'yes',
    )
    assert.equal(
      render('{{ s|upper }} {{ s|replace("a","b") }} {{ l|join(", ") }} {{ l|length }} {{ n|int + 1 }}', {
        s: 'ab',
        l: ['x', 'y'],
        n: '4',
      }),
      'AB bb x, y 2 5',
    )
    assert.equal(
      render('{% macro greet(n, end="!") %}Hi {{ n }}{{ end }}{% endmacro %}{{ greet("Ada") }}'),
      'Hi Ada!',
    )
    assert.equal(
      render(
        '{% set n = namespace(sum=0) %}{% for i in range(1, 4) %}{% set n.sum = n.sum + i %}{% endfor %}{{ n.sum }}',
      ),
      '6',
    )
    assert.equal(
      render(
        '{% for i in range(9) %}{% if i == 2 %}{% continue %}{% elif i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}',
      ),
      '013',
    )
    assert.equal(
      render('{{ o | tojson }} {{ o["a"] }} {{ "x" if o.a else "y" }}', { o: { a: [1] } }),
      '{"a": [1]} [1] x',
    )
    assert.equal(render('{% filter upper %}a{{ x }}{% endfilter %}', { x: 'b' }), 'AB')
    assert.equal(
      render(`a{% raw %}{{ x }} '"\n\\{% endraw %}b{%- raw -%} {% y %} {%- endraw -%} c`),
      `a{{ x }} '"\n\\b{% y %}c`,
    )
  })

  it('renders a missing variable as empty, however it is used', () => {
    const template =
      '{{ a }}{{ a.b }}{{ a | upper }}{{ a | join(",") }}{% for x in a %}x{% endfor %}{{ "-" ~ a }}{% if a %}y{% endif %}{{ a | first }}'
    assert.equal(render(template), '-')
    assert.equal(render(template, { a: null }), '-')
    assert.equal(render('{{ a | default("d") }}{{ a is defined }}'), 'dfalse')
  })

  it('treats a dotted label as a field, beside others with the same prefix', () => {
    const values = { user: { id: 7 }, 'user.name': 'Ada', 'user.home.city': 'Oslo' }
    assert.equal(render('{{ user.id }} {{ user.name }} {{ user.home.city }}', values), '7 Ada Oslo')
    assert.deepEqual(values.user, { id: 7 })
    assert.equal(render('{{ user }}', { user: 'Ada', 'user.name': 'B' }), 'Ada')
  })

  it('accepts labels that are no identifiers, and does not override Jinja globals', () => {
    const values = {
      'my var': 1,
      '': 2,
      '1a': 3,
      '.': 4,
      'a..b': 5,
      __proto__: 6,
      '__proto__.x': 7,
      true: 'no',
      range: 'r',
      namespace: 'n',
      x: 8,
    }
    assert.equal(
      render('{{ x }} {{ true }} {{ range }} {{ namespace }} {{ toString }}{{ x.constructor }}', values),
      '8 true r n ',
    )
    assert.equal(({} as { x?: unknown }).x, undefined)
  })

  it('gives the reason why a template cannot be read or rendered', () => {
    for (const text of [
      '{{',
      '{% if x %}',
      '{{ x | nope }}',
      '{% include "x" %}',
      '{{ 1 + }}',
      '{% break %}',
      '{{ f() }}',
      '{# open',
    ]) {
      const rendered = renderPrompt({ text: 'fine', systemText: text }, [{ label: 'x', value: 'y' }])
      assert.ok(
        rendered.type === 'failed' && /^The template cannot be (read|rendered): .+\.$/.test(rendered.reason),
        text,
      )
    }
  })

  it('gives the same result with a cache as without', () => {
    const cache = new Map<string, Template>()
    for (const value of ['a', 'b', 'c']) {
      const rendered = renderPrompt(
        { text: '{{ x }}{{ y }}', systemText: '{{' },
        [{ label: 'x', value }],
        cache,
      )
      assert.equal(rendered.type, 'failed')
      const user = renderPrompt({ text: '{{ x }}{{ y }}', systemText: '' }, [{ label: 'x', value }], cache)
      assert.deepEqual(user, { type: 'rendered', messages: [{ role: 'user', content: value }] })
    }
    assert.deepEqual([...cache.keys()].sort(), ['{{', '{{ x }}{{ y }}'])
  })
})

describe('a template in the language of Jinja', () => {
  const { variables, cases, refusals } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../fixtures/templates/rendered.json'), 'utf8'),
  ) as Fixture
  for (const { text, result } of cases)
    it(`is rendered as Jinja renders it: ${text}`, () => {
      if (result === undefined) assert.match(render(text, variables), /^The template cannot be rendered: /)
      else assert.equal(render(text, variables), result)
    })

  for (const text of refusals)
    it(`is rejected with a reason if it uses unsupported syntax: ${text}`, () => {
      assert.match(render(text, variables), /^The template cannot be (read|rendered): /)
    })
})

interface Fixture {
  readonly variables: Readonly<Record<string, unknown>>
  readonly cases: readonly { readonly text: string; readonly result?: string }[]
  readonly refusals: readonly string[]
}

describe('a template that runs away', () => {
  const long = 'x'.repeat(1_000_000)
  const doubling =
    '{% set n = namespace(s=[b]) %}{% for i in range(60) %}{% set n.s = [n.s, n.s] %}{% endfor %}'
  const templates: Record<string, string> = {
    'a range': '{% for i in range(1000000000) %}x{% endfor %}',
    'an endless range': '{% for i in range(1, 10, 0) %}x{% endfor %}',
    'nested loops': '{% for i in range(10000) %}{% for j in range(10000) %}{% endfor %}{% endfor %}',
    'many continues':
      '{% for i in range(90000) %}{% for j in [1, 2, 3] %}{% continue %}{% endfor %}{% endfor %}',
    'a text times a number': "{{ 'x' * 1000000000 }}",
    'a text that doubles':
      '{% set n = namespace(s="xxxx") %}{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}',
    'a list that doubles':
      '{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}',
    'a list of lists, written': `${doubling}{{ n.s }}`,
    'a list of lists, joined': `${doubling}{{ n.s | join }}`,
    'a list of lists, as JSON': `${doubling}{{ n.s | tojson }}`,
    'a list of lists, added to a text': `${doubling}{% set x = "a" + n.s %}`,
    'a macro that calls itself': '{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}',
    'two macros that call each other':
      '{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}',
    'a replacement in every place': '{{ b | replace("", b) }}',
    'a replacing method': '{{ b.replace("", b) }}',
    'a replacing method by another name': '{% set f = b["replace"] %}{{ f(*["", b]) }}',
    'a replacing block': '{% filter replace("x", b) %}{{ b }}{% endfilter %}',
    'a long separator': '{{ b | join(b) }}',
    'a wide indent': '{{ "a\\nb" | indent(1000000000) }}',
    'a wide indent of JSON': '{{ [1, [2]] | tojson(indent=100000000) }}',
    'a long text many times': '{% for i in range(1000) %}{{ b }}{% endfor %}',
    'many searches of a long text': '{% for i in range(50000) %}{% if "y" in b %}{% endif %}{% endfor %}',
    'a long text in a long text': '{{ ("y" ~ b) in (b ~ b) }}',
    'deep brackets': `{{ ${'('.repeat(30_000)}1${')'.repeat(30_000)} }}`,
    'a long sum': `{{ 1${'+1'.repeat(50_000)} }}`,
    'deep conditions': `${'{% if true %}'.repeat(20_000)}${'{% endif %}'.repeat(20_000)}`,
    'many tests in a tag': `{{ 1${' is eq 1'.repeat(20_000)} }}`,
    'many equal texts': `{% set c = b ~ "" %}{% set n = namespace(s=[b]) %}{% for i in range(12) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s.count(c) }}`,
    'a text centred far away': '{{ "x".center(1000000000) }}{{ "%1000000000s" % 1 }}',
    'a wide format': '{{ "%1000000000s" % 1 }}',
    'a wide format of braces': '{{ "{:>1000000000}".format(1) }}',
    'many lists': '{{ [1] | slice(1000000000) }}',
    'a long row': '{{ [1] | batch(1000000000, 0) }}',
    'a list of lists, mapped to texts': `${doubling}{{ [n.s] | map("string") | join }}`,
    'a list of lists, compared': `${doubling}{% set a = n.s %}${doubling}{{ a == n.s }}`,
    'a long template': `${'a'.repeat(2 ** 20)}{{ x }}`,
    'openings without end': '{% raw %}'.repeat(20_000),
  }
  for (const [name, template] of Object.entries(templates)) {
    it(`is rejected: ${name}`, () => {
      const reason = render(template, { b: long })
      assert.match(reason, /^The template cannot be (read|rendered): /)
      // Rejected before the result is created, and not only when the engine runs out of memory.
      assert.doesNotMatch(reason, /rendered: it nests too deeply or makes too long a text/)
    })
  }

  it('is not one that is merely large', () => {
    const messages = Array.from({ length: 5000 }, (_, index) => ({
      role: 'user',
      content: `message ${index}`,
    }))
    const text = render('{% for m in messages %}{{ m.role }}: {{ m.content | trim }}\n{% endfor %}{{ b }}', {
      messages,
      b: long,
    })
    assert.ok(text.length > 1_050_000, text.slice(0, 200))
    assert.equal(render('{{ b | replace("x", "yy") }}', { b: long }).length, 2_000_000)
    assert.equal(render(`${' '.repeat(200_000)}{{ b }}`, { b: long }).length, 1_200_000)
    assert.equal(render('{{ b }}{{ b | upper }}', { b: long }).length, 2_000_000)
  })
})

describe('renderPrompt on anything', () => {
  const pieces = [
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    '-',
    ' for ',
    ' x ',
    ' in ',
    ' if ',
    ' endif ',
    ' endfor ',
    ' set ',
    '=',
    '|',
    'join',
    '(',
    ')',
    '[',
    ']',
    '.',
    "'",
    '1',
    ' raw ',
    '\n',
    ' macro ',
    ' range',
    '~',
    ',',
    '{',
    '}',
    ':',
    ' not ',
    ' is ',
  ]
  const templates = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 40 })
      .map((parts) => parts.join('')),
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `{{ x ${parts.join(' ')} }}`),
  )

  it('renders or gives a reason, and never throws', () => {
    const variables = fc.array(
      fc.record({
        label: fc.oneof(fc.constantFrom('x', 'x.y', 'range'), fc.string()),
        value: fc.jsonValue(),
      }),
    )
    fc.assert(
      fc.property(templates, templates, variables, (text, systemText, variable) => {
        const rendered = renderPrompt({ text, systemText }, variable)
        if (rendered.type === 'rendered') assert.equal(rendered.messages.length, systemText === '' ? 1 : 2)
        else assert.notEqual(rendered.reason, '')
      }),
      propertyRuns(100),
    )
  })

  it('returns a text without template syntax unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{') && !text.endsWith('\n')),
        (text) => {
          assert.equal(render(text), text)
        },
      ),
    )
  })

  it('inserts any value unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) =>
        assert.equal(render('<{{ v }}>', { v: value }), `<${value}>`),
      ),
    )
  })
})
