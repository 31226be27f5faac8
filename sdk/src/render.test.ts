import assert from 'node:assert/strict'
import { it } from 'node:test'
import { renderPrompt } from '@plumbline/contract/templates'
import fc from 'fast-check'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { render, TemplateFailed } from './render.ts'

/** The service's rendering of the same prompt, with the variables as they would reach it. */
function byService(text: string, values: object): string | undefined {
  const json = JSON.parse(JSON.stringify(values)) as object
  const variables = Object.entries(json).map(([label, value]) => ({ label, value: value as unknown }))
  const rendered = renderPrompt({ text, systemText: '' }, variables)
  return rendered.type === 'rendered' ? rendered.messages[0]!.content : undefined
}

function byClient(text: string, values: Record<string, unknown>): string | undefined {
  try {
    return render({ text, systemText: '' }, values)[0]!.content
  } catch (error) {
    assert.ok(error instanceof TemplateFailed, String(error))
    return undefined
  }
}

const values = {
  name: 'Ada',
  html: `<b>"&'</b>`,
  list: ['x', 'y', 3],
  user: { id: 7 },
  'user.name': 'Bo',
  'user.home.city': 'Oslo',
  'a.b': 1,
  nothing: null,
  number: 4.5,
  flag: true,
  when: new Date(0),
  range: 'r',
  true: 'no',
  __proto__: 1,
  'my var': 2,
}

const templates = [
  'Hi {{ name }}',
  'plain\n',
  '{{ html }}{{ list }}{{ user }}',
  '{{ user.id }} {{ user.name }} {{ user.home.city }} {{ a.b }}',
  '{{ missing }}{{ missing.deep }}{{ missing | upper }}{{ missing | join(",") }}{{ missing | first }}{{ "-" ~ missing }}',
  '{% for x in missing %}x{% endfor %}{% if missing %}y{% else %}n{% endif %}{{ missing | default("d") }}',
  '{{ nothing }}{{ nothing is defined }}{{ nothing | default("d") }}',
  '{% for x in list %}{{ loop.index }}:{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}',
  '{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}',
  '{% set n = namespace(sum=0) %}{% for i in list2 %}{% set n.sum = n.sum + i %}{% endfor %}{{ n.sum }}',
  `a{% raw %}{{ x }} '"\n\\{% endraw %}b{%- raw -%} {% y %} {%- endraw -%} c`,
  '{% macro greet(n, end="!") %}Hi {{ n }}{{ end }}{% endmacro %}{{ greet(name) }}',
  '{{ true }} {{ True }} {{ none }} {{ range }} {{ flag }} {{ number }} {{ when }}',
  '{{ user | tojson }} {{ list | length }} {{ name | replace("A", "B") }}',
  '{{',
  '{% if x %}',
  '{{ name | nope }}',
  '{{ f() }}',
]

it('renders a template like the service', () => {
  for (const template of templates) {
    assert.equal(byClient(template, values), byService(template, values), template)
  }
  assert.equal(byClient('{% for i in range(1, 6, 2) %}{{ i }}{% endfor %}{{ range(2) }}', {}), '135[0, 1]')
})

it('renders any small template like the service', () => {
  const part = fc.constantFrom(
    ...[
      '{{ name }}',
      '{{ missing }}',
      '{{ list | join("-") }}',
      '{% if flag %}',
      '{% else %}',
      '{% endif %}',
    ],
    ...[
      '{% for x in list %}',
      '{% endfor %}',
      '{{ x }}',
      ' ',
      '\n',
      '{{-',
      '-}}',
      '{#',
      '#}',
      "'",
      '{% raw %}',
    ],
    ...['{% endraw %}', '{{ missing | upper ~ name }}', '{{ user.name }}'],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const template = parts.join('')
      assert.equal(byClient(template, values), byService(template, values))
    }),
    propertyRuns(50),
  )
})

it('renders a system message only if there is a system text', () => {
  assert.deepEqual(
    render({ text: 'b', systemText: 'a' }, {}).map(({ role }) => role),
    ['system', 'user'],
  )
  assert.deepEqual(render({ text: 'b', systemText: '' }, {}), [{ role: 'user', content: 'b' }])
})

it('gives the reason why a template cannot be rendered', () => {
  assert.throws(
    () => render({ text: '{{ name | nope }}', systemText: '' }, { name: 'Ada' }),
    /cannot be rendered: .*nope/,
  )
})
