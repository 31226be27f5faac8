/** The calls of a run: each case on each column, times the repetitions. Pure. */
import type { ModelInput } from '@plumbline/sdk'
import type { Input } from '../app/api.ts'
import type { Texts } from '../prompts/edit/prompt-messages.ts'
import type { Column } from './column.ts'
import type { ChatMessage } from './replay.ts'
import type { Job } from './use-runs.ts'

/** The maximum repetitions of a case per column. */
export const repeats = [1, 2, 3, 5, 10] as const

/** The case with the values of the form. */
export const onlyCase = 'form'

export interface Case {
  readonly id: string
  readonly values: Readonly<Record<string, unknown>>
}

export interface Plan {
  readonly texts: Texts
  readonly messages: readonly ChatMessage[]
  readonly parameters: NonNullable<ModelInput['parameters']>
  /** The prompt whose versions are run. */
  readonly prompt: string | undefined
  readonly isRecorded: boolean
}

export const keyOf = (columnAt: number, caseId: string, repetition: number): string =>
  `${columnAt} ${caseId} ${repetition}`

/** Whether a key is one of a column's runs. */
export const isOfColumn =
  (columnAt: number) =>
  (key: string): boolean =>
    key.startsWith(`${columnAt} `)

export const planJobs = (
  plan: Plan,
  columns: readonly (readonly [index: number, column: Column])[],
  cases: readonly Case[],
  repeat: number,
): readonly Job[] =>
  cases.flatMap(({ id, values }) =>
    columns.flatMap(([index, column]) =>
      Array.from({ length: repeat }, (_, repetition) => ({
        key: keyOf(index, id, repetition),
        input: inputOf(plan, column, values),
      })),
    ),
  )

/** A stored version has its own texts and parameters; the draft uses those of the form. */
function inputOf(
  { texts, messages, parameters, prompt, isRecorded }: Plan,
  { connectionId, model, version }: Column,
  variables: Readonly<Record<string, unknown>>,
): Input<'playground.run'> {
  const { text, systemText, messages: promptMessages } = texts
  const templates =
    promptMessages === undefined ? { text, systemText } : { promptMessages: [...promptMessages] }
  const isVersion = version !== undefined && prompt !== undefined
  return {
    connectionId,
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(isVersion ? { prompt: { slug: prompt, version } } : { ...templates, parameters }),
    variables,
    ...(messages.length > 0 && { messages: [...messages] }),
    ...(isRecorded && { record: true }),
  }
}
