import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mergeDraft, toChange, toDraft } from './retention-rules.ts'

const base = toDraft({
  days: 30,
  ledgerSampleDays: 7,
  fileDays: null,
  evaluationDays: null,
  idempotencyDays: null,
  features: [{ featureSlug: 'chat', days: 90 }],
  environments: [{ environment: 'production', days: null }],
})

it('a draft changes its own rules, and keeps concurrent changes to others', () => {
  const draft = {
    ...base,
    fileDays: '5',
    features: [],
    environments: [...base.environments, { environment: 'staging', days: '3' }],
  }
  const latest = {
    ...base,
    days: '60',
    environments: [...base.environments, { environment: 'test', days: '1' }],
  }
  const merged = mergeDraft(draft, base, latest)
  assert.equal(merged.isContested, false)
  assert.deepEqual(toChange(merged.draft, latest), {
    fileDays: 5,
    features: [],
    environments: [
      { environment: 'production', days: null },
      { environment: 'test', days: 1 },
      { environment: 'staging', days: 3 },
    ],
  })
})

it('a rule is contested if two users changed it differently, or one removed it', () => {
  const mine = { ...base, features: [{ featureSlug: 'chat', days: '10' }] }
  for (const features of [[{ featureSlug: 'chat', days: '20' }], []]) {
    const { draft, isContested } = mergeDraft(mine, base, { ...base, features })
    assert.equal(isContested, true)
    assert.deepEqual(draft.features, mine.features)
  }
  assert.equal(mergeDraft(mine, base, mine).isContested, false)
})
