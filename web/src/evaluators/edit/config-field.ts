/** The fields of an evaluator's form. */
import type { Choice } from '../../ui/form/select.tsx'

interface FieldBase {
  /** The path in the configuration; `verdict.min` is `min` of `verdict`. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isRequired?: boolean
  /** Advanced: collapsed until opened. */
  readonly isExtra?: boolean
  /** Shown only while another field has one of these values. */
  readonly onlyIf?: { readonly name: string; readonly is: readonly string[] }
}

/** One setting of an evaluator. */
export type ConfigField = FieldBase &
  (
    | {
        readonly type:
          | 'text'
          | 'long'
          | 'references'
          | 'markdown'
          | 'flag'
          | 'json'
          | 'javascript'
          | 'template'
          | 'words'
          | 'points'
          | 'connection'
          | 'model'
      }
    | { readonly type: 'number'; readonly min?: number; readonly max?: number }
    | { readonly type: 'choice'; readonly choices: readonly Choice[] }
  )
