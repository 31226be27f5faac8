/** Messages between the main thread and the masking worker. */
import type { MaskingRule, RehearsedRule } from '@plumbline/contract'
import type { ScoreRow, StoredTrace } from '@plumbline/storage/traces'
import type { AcceptedRecord } from '../monitor/record.ts'

/** Rules, and the key for their hashes. */
export interface RuleSource {
  readonly rules: readonly MaskingRule[]
  readonly key: Uint8Array
}

export type Task = { readonly source: RuleSource } & (
  | { readonly type: 'record'; readonly accepted: AcceptedRecord; readonly body: Uint8Array }
  | { readonly type: 'sample'; readonly body: Uint8Array; readonly lengthMax: number }
  | { readonly type: 'traces'; readonly traces: readonly StoredTrace[]; readonly limitMs?: number }
  | { readonly type: 'score'; readonly score: ScoreRow }
  | { readonly type: 'rehearsal'; readonly traces: readonly StoredTrace[] }
)

export interface Rehearsal {
  readonly changed: number
  readonly rules: RehearsedRule[]
}

export type TaskResult =
  | { readonly accepted: AcceptedRecord; readonly body: Uint8Array }
  | { readonly sample: string }
  | { readonly score: ScoreRow }
  | { readonly traces: readonly StoredTrace[] }
  | Rehearsal
