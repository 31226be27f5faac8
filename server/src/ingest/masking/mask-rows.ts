/** Masks stored traces, as an import brings them and the rehearsal reads them. Numbers, ids and totals stay. */
import type { MaskingField } from '@plumbline/contract'
import type { LogRow, ScoreRow, StoredTrace, TraceRow } from '@plumbline/storage/traces'
import type { CompiledRules } from './compile-rules.ts'
import { maskRequiredText, maskValue, type ValueContext } from './mask-value.ts'
import { arrived, enter } from './path.ts'

type Context = Omit<ValueContext, 'rules'>

export function maskStoredTrace(stored: StoredTrace, rules: CompiledRules, context: Context): StoredTrace {
  const { trace, logs, scores } = stored
  const rows = new RowMasker({ ...context, rules: rules.forFeature(trace.featureSlug) })
  return {
    trace: rows.trace(trace),
    logs: logs.map((log, index) => rows.log(log, `logs[${index}].`)),
    scores: scores.map((score, index) => rows.score(score, `scores[${index}].`)),
  }
}

/** A score of a trace whose feature is not known. */
export const maskScoreRow = (row: ScoreRow, rules: CompiledRules, context: Context): ScoreRow =>
  new RowMasker({ ...context, rules: rules.forFeature(undefined) }).score(row, '')

class RowMasker {
  readonly #context: ValueContext

  constructor(context: ValueContext) {
    this.#context = context
  }

  trace(row: TraceRow): TraceRow {
    return {
      ...row,
      ...this.#content(row, ''),
      name: this.#text(row.name, 'name', 'name'),
      ...this.#identities(row),
      userName: this.#identity(row.userName, 'user', 'name'),
      organizationName: this.#identity(row.organizationName, 'organization', 'name'),
      sessionId: row.sessionId && this.#text(row.sessionId, 'metadata', 'sessionId'),
      warning: row.warning && this.#text(row.warning, 'metadata', 'warning'),
    }
  }

  log(row: LogRow, place: string): LogRow {
    return {
      ...row,
      ...this.#content(row, place),
      ...this.#identities(row),
      name: row.name && this.#text(row.name, 'name', `${place}name`),
      variables: this.#variables(row.variables, `${place}variables`),
    }
  }

  score(row: ScoreRow, place: string): ScoreRow {
    return {
      ...row,
      value: typeof row.value === 'string' ? this.#text(row.value, 'comment', `${place}value`) : row.value,
      comment: row.comment && this.#text(row.comment, 'comment', `${place}comment`),
      userId: this.#identity(row.userId, 'user', 'id'),
    }
  }

  #content(
    row: TraceRow | LogRow,
    place: string,
  ): Pick<TraceRow, 'input' | 'output' | 'idealOutput' | 'metadata'> {
    const metadata = this.#json(row.metadata, 'metadata', `${place}metadata`)
    return {
      input: this.#json(row.input, 'input', `${place}input`),
      output: this.#json(row.output, 'output', `${place}output`),
      idealOutput: this.#json(row.idealOutput, 'output', `${place}idealOutput`),
      metadata: metadata?.startsWith('{') ? metadata : null,
    }
  }

  #identities<Row extends { userId: string | null; organizationId: string | null }>(row: Row) {
    return {
      userId: this.#identity(row.userId, 'user', 'id'),
      organizationId: this.#identity(row.organizationId, 'organization', 'id'),
    }
  }

  #identity(text: string | null, field: 'user' | 'organization', key: string): string | null {
    if (text === null) return null
    const rules = this.#context.rules.rulesOf(field)
    const whole = arrived(rules.paths)
    if (whole?.action === 'drop') return null
    const paths = whole === undefined ? enter(rules.paths, key) : rules.paths
    return maskRequiredText(text, { ...rules, paths }, this.#context, `${field}.${key}`)
  }

  #json(text: string | null, field: MaskingField, place: string): string | null {
    if (text === null) return null
    const value: unknown = JSON.parse(text)
    const masked = maskValue(value, this.#context.rules.rulesOf(field), this.#context, place)
    return masked === value ? text : masked === null ? null : JSON.stringify(masked)
  }

  #variables(text: string | null, place: string): string | null {
    if (text === null) return null
    const rules = this.#context.rules.rulesOf('variables')
    // Safe: the store holds a list of labels and values.
    const variables = JSON.parse(text) as readonly { label: string; value?: unknown }[]
    const masked = variables.map(({ label, value }, index) => {
      const paths = arrived(rules.paths) === undefined ? enter(rules.paths, label) : rules.paths
      return value === undefined
        ? { label }
        : { label, value: maskValue(value, { ...rules, paths }, this.#context, `${place}[${index}].value`) }
    })
    return JSON.stringify(masked)
  }

  #text(text: string, field: MaskingField, place: string): string {
    return maskRequiredText(text, this.#context.rules.rulesOf(field), this.#context, place)
  }
}
