import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnnotationItem } from '@plumbline/sdk'
import { describeRemoval, removalOf } from './removal.ts'

const createdAt = '2027-01-01T10:00:00Z'
const item = (id: string, ...statuses: ('held' | 'judged' | 'skipped')[]): AnnotationItem => ({
  id,
  traceId: id,
  logId: null,
  isDone: false,
  turns: statuses.map((status) => ({
    annotator: { id: status, name: status, isYou: false },
    status,
    heldUntil: status === 'held' ? createdAt : null,
    changedAt: createdAt,
  })),
  addedAt: createdAt,
  judgedAt: null,
})

test('annotated items stay, and the rest is removed, including items being annotated', () => {
  const { removable, claimedCount, keptCount } = removalOf([
    item('a'),
    item('b', 'held', 'skipped'),
    item('c', 'judged', 'held'),
    { ...item('d'), isDone: true },
  ])
  assert.deepEqual([removable.map(({ id }) => id), claimedCount, keptCount], [['a', 'b'], 1, 2])
})

test('the description mentions only what applies', () => {
  const words = describeRemoval(removalOf([item('a')]))
  assert.deepEqual(words, [
    'It will no longer be assigned to anyone, and the automatic feed will not add it again. Its trace is kept.',
  ])
  const labels = describeRemoval(removalOf([item('a'), item('b', 'held'), item('c', 'judged')]))
  assert.match(labels[0]!, /^They will no longer be assigned/)
  assert.match(labels[1]!, /^Someone is annotating 1 of them right now/)
  assert.equal(labels[2], '1 item stays because it has been annotated.')
  assert.match(describeRemoval(removalOf([item('a', 'held')]))[1]!, /^Someone is annotating it right now/)
})
