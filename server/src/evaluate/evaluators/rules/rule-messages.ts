/** The messages between the main thread and the rule thread. */
import type { Verdict } from './judge.ts'
import type { RuleKind } from './rule.ts'
import type { Subject } from './subject.ts'

export interface Question {
  readonly workspaceId: string
  readonly kind: RuleKind
  /** JSON text. */
  readonly config: string
  readonly subject: Subject
}

export type Reply =
  | { readonly type: 'judged'; readonly verdict: Verdict }
  /** The configuration is invalid. */
  | { readonly type: 'invalid'; readonly path: string; readonly problem: string }
