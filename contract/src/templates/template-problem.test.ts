import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { templateProblem } from './template-problem.ts'

describe('templateProblem', () => {
  it('names invalid syntax, and unknown filters and tests, wherever they occur', () => {
    for (const [text, problem] of [
      ['{% if', /cannot be read/],
      ['{% include tone %}', /cannot be read/],
      ['{{ name | nosuch }}', /no filter `nosuch` \(line 1\); there are abs, .*upper/],
      ['{{ name | nosuch(2) }}', /no filter `nosuch`/],
      ['{% macro say(x) %}{% if x %}{{ x | nosuch }}{% endif %}{% endmacro %}', /no filter `nosuch`/],
      ['{% filter nosuch %}x{% endfilter %}', /no filter `nosuch`/],
      ['{{ 1 if x is not nosuch }}', /no test `nosuch` \(line 1\); there are .*defined/],
    ] as const)
      assert.match(templateProblem(text) ?? '', problem, text)
  })

  it('is undefined if it depends on the variables', () => {
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

  it('names the line of unsupported, unclosed and invalid syntax', () => {
    for (const [text, problem] of [
      ['Hi\n{% import "x" as y %}', /line 2: there is no statement `import`; there are .*, with\.$/],
      ['{% if x %}\n{% for y in z %}\n{% endif %}', /line 3: `{% endif %}` comes before the `{% endfor %}`/],
      ['a\n{% with a = 1 %}', /line 2: `{% with %}` has no `{% endwith %}`/],
      ['a\nb {{ name', /line 2: `{{` has no `}}`/],
      ['{{ a ! b }}', /line 1: `!` is no part of an expression/],
      ['{{ a }}\n{{ a b }}', /line 2: `b` is not expected there/],
      ['{# a', /line 1: a comment has no end/],
      ['{{ "a }}', /line 1: a text in quotes has no end/],
      ['{% endfor %}', /`{% endfor %}` ends nothing/],
      ['{% for x in tree recursive %}{% endfor %}', /`recursive` loop is not supported/],
      ['{{ x is nosuch(1) }}', /no test `nosuch`/],
      ['a\n{%- include "x" -%}\n{{ nosuch }}\n{{ x | nosuch }}', /no filter `nosuch` \(line 4\)/],
      ['{{ x is not nosuch 1 }}', /no test `nosuch`/],
    ] as const)
      assert.match(templateProblem(text) ?? '', problem, text)
  })
})
