import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isFormDraft, restoreDraft } from './form-draft.ts'

const base: { name: string; threshold: number | undefined; channels: string[] } = {
  name: 'Slow',
  threshold: 5,
  channels: ['a'],
}

it('a draft keeps what was typed, and has what others saved in all other fields', () => {
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

it('values alone, as an older release kept them, are no draft', () => {
  assert.equal(isFormDraft(base, base), false)
  assert.equal(isFormDraft({ values: base, base }, base), true)
})
