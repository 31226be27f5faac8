import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partsIn, replaceParts } from './prompt-parts.ts'

describe('parts of a template', () => {
  it('are named as in Jinja, with a version or a tag, and as Langfuse names them', () => {
    const template = `{% include "tone" %} {%- include 'rules@1.0.0' -%} @@@langfusePrompt:name=My Base|label=production@@@
      @@@langfusePrompt:name=other|version=3@@@`
    assert.deepEqual(partsIn(template), [
      { slug: 'tone', selector: undefined },
      { slug: 'rules', selector: '1.0.0' },
      { slug: 'my-base', selector: 'production' },
      { slug: 'other', selector: '3' },
    ])
  })

  it('are replaced by the text verbatim, and nothing else is replaced', () => {
    assert.equal(
      replaceParts('A {% include "x" %} {% if include %}B{% endif %}', () => '$& {{ a }}'),
      'A $& {{ a }} {% if include %}B{% endif %}',
    )
    assert.equal(
      replaceParts('Say "include".', () => 'x'),
      'Say "include".',
    )
  })

  it('trim white space according to their signs, and drop their last line break, as in Jinja', () => {
    const tone = () => ' Be kind.\n'
    assert.equal(replaceParts('A \n{%- include "tone" -%}\n B', tone), 'A Be kind.B')
    assert.equal(replaceParts('A \n{% include "tone" %}\n B', tone), 'A \n Be kind.\n B')
    assert.equal(replaceParts('{% include "tone" -%} {%- include "tone" %}', tone), ' Be kind. Be kind.')
    assert.equal(replaceParts('A @@@langfusePrompt:name=tone@@@B', tone), 'A  Be kind.\nB')
  })

  it('are ignored in comments and in raw blocks', () => {
    const untouched = [
      '{# {% include "x" %} @@@langfusePrompt:name=x@@@ #}',
      '{%- raw -%}{% include "x" %} {# {%- endraw %}',
      '{% raw %}{% include "x" %}{% endraw %}{# {% raw %}{% include "x" %} #}',
    ]
    for (const template of untouched) {
      assert.deepEqual(partsIn(template), [])
      assert.equal(
        replaceParts(`{% include "a" %}${template}{% include "b" %}`, ({ slug }) => slug),
        `a${template}b`,
      )
    }
    assert.equal(
      replaceParts('{# {% raw %} {% include "a" %}', ({ slug }) => slug),
      '{# {% raw %} a',
    )
  })

  it('are found in linear time', () => {
    const template = '{# {% raw %} {% include '.repeat(40_000)
    assert.deepEqual(partsIn(`${template}"x" %}`), [{ slug: 'x', selector: undefined }])
  })
})
