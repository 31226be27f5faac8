import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderPrompt } from './render.ts'
import { filters, templateProblem } from './template-problem.ts'

describe('templateProblem', () => {
  it('is told of what cannot be read, and of filters and tests that are not there, wherever they stand', () => {
    for (const [text, problem] of [
      ['{% if', /cannot be read/],
      ['{% include tone %}', /cannot be read/],
      ['{{ name | nosuch }}', /no filter `nosuch`; there are abs, .*upper/],
      ['{{ name | nosuch(2) }}', /no filter `nosuch`/],
      ['{% macro say(x) %}{% if x %}{{ x | nosuch }}{% endif %}{% endmacro %}', /no filter `nosuch`/],
      ['{% filter nosuch %}x{% endfilter %}', /no filter `nosuch`/],
      ['{{ 1 if x is not nosuch }}', /no test `nosuch`; there are .*defined/],
    ] as const)
      assert.match(templateProblem(text) ?? '', problem, text)
  })

  it('is none where only the variables decide', () => {
    for (const text of [
      'Hello',
      '{"json": {"a": 1}}',
      '{% include "tone@2" %} {{ a.b.c | default("x") | upper }}',
      '{% for x in n %}{{ x | int }}{% endfor %}',
      '{% raw %}{{ #each }}{% endraw %}',
      '{{ x is defined and y is not none }}',
      '{{ ask(1) }}',
    ])
      assert.equal(templateProblem(text), undefined, text)
  })

  it('knows the filters of the library: each runs on one value at least', () => {
    const values = ['-1', 'text', '[{"a": 1}]', '["b"]', '{"a": 1}', 'true']
    const calls = {
      default: '("x")',
      selectattr: '("a")',
      rejectattr: '("a")',
      map: '(attribute="a")',
      replace: '("t", "x")',
      get: '("a")',
    }
    const run = (filter: string) =>
      values.some(
        (value) =>
          renderPrompt({ text: `{{ ${value} | ${filter} }}`, systemText: '' }, []).type === 'rendered',
      )
    for (const filter of filters)
      assert.ok(run(`${filter}${calls[filter as keyof typeof calls] ?? ''}`), filter)
    assert.ok(!run('nosuch'))
  })
})
