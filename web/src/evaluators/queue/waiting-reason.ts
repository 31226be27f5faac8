/** Why an evaluation waits, in a sentence. Pure. */
import type { Evaluation } from '@plumbline/sdk'
import type { Output } from '../../app/api.ts'

export type ConcurrencyGroup = Output<'evaluations.list'>['waiting'][number]

/** A provider's sentence may end without a full stop. */
export const asSentence = (text: string): string => (/[.!?…]\s*$/.test(text) ? text : `${text}.`)

/** Its own problem, or the problem of all evaluations that wait for its model; undefined if it is not waiting. */
export function waitingReason(
  evaluation: Pick<Evaluation, 'status' | 'problem' | 'connectionId' | 'model'>,
  groups: readonly Pick<ConcurrencyGroup, 'connectionId' | 'model' | 'problem'>[],
): string | undefined {
  if (evaluation.status !== 'waiting') return undefined
  const group = groups.find(
    ({ connectionId, model }) => connectionId === evaluation.connectionId && model === evaluation.model,
  )
  return asSentence(evaluation.problem ?? group?.problem ?? 'In queue')
}
