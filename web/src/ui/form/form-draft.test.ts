import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isFormDraft, restoreDraft } from './form-draft.ts'

const base: { name: string; threshold: number | undefined; channels: string[] } = {
  name: 'Slow',
  threshold: 5,
  channels: ['a'],
}

it("a draft keeps typed fields, and takes others' saved values in all other fields", () => {
  const draft = { values: { ...base, name: 'Slower' }, base }
  const saved = { ...base, threshold: 9 }
  assert.deepEqual(restoreDraft(draft, saved), {
    values: { name: 'Slower', threshold: 9, channels: ['a'] },
    isOutdated: false,
  })
  assert.equal(restoreDraft(draft, { ...base, name: 'Theirs' }).isOutdated, true)
})

it('a field that was emptied stays empty', () => {
  const { threshold: _emptied, ...values } = base
  assert.deepEqual(restoreDraft({ values: values as typeof base, base }, base).values, {
    ...base,
    threshold: undefined,
  })
})

it('bare values, as stored by an older release, are not a draft', () => {
  assert.equal(isFormDraft(base, base), false)
  assert.equal(isFormDraft({ values: base, base }, base), true)
})
