import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { includeParts } from './include-parts.ts'

const version = (name: string, text: string, tags: string[] = []) => ({
  ...{ version: name, text, systemText: '', tags },
})

describe('includeParts', () => {
  // A bundle or an older release may have created such a version.
  it('uses the version tagged production, and not a version of that name', async () => {
    const tone = { versions: [version('production', 'Be rude.'), version('1', 'Be kind.', ['production'])] }
    const text = '{% include "tone" %} {% include "tone@production" %} {% include "tone@1" %}'
    const [served] = await includeParts('greeting', [version('1', text)], async () => tone)
    assert.equal(served?.text, 'Be kind. Be kind. Be kind.')
  })
})
