/** The state of a form: its values, what is wrong with each, and what the service said about them. */
import { RequestFailed } from '@plumbline/sdk'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type ResolverResult,
  set,
  type UseFormReturn,
  useForm as useHookForm,
} from 'react-hook-form'
import { sentenceOf } from '../error-state.tsx'
import { forgetDraft, keepDraft, readDraft } from '../storage/draft.ts'
import { changedFields, contestedFields, contestedText, isSame, withLatest } from './changed-fields.ts'
import type { InputProblem, InputSchema } from './check-input.ts'
import { fieldAt, problemOfRejection, sentence } from './field-problems.ts'
import { isFormDraft, restoreDraft } from './form-draft.ts'

export interface FormOptions<Values extends FieldValues, Input> {
  /** What the fields hold at first. */
  readonly initial: Values
  /** The schema of the operation's input: `import schema from '@plumbline/sdk/input-schemas?keys.create'`. */
  readonly schema?: InputSchema
  /** What to send. Fields that are named as in the input show what is wrong with them. */
  readonly toInput: (values: Values) => Input
  /** Sends the input; rejects with what the service said. */
  readonly send: (input: Input) => Promise<unknown>
  /** Paths of the input whose field has another name: `{ expiresAt: 'lifetime' }`. */
  readonly fieldOf?: FieldNames<Values> | ((values: Values) => FieldNames<Values>)
  /** What was typed is kept by this name until it is saved or discarded: it outlives a reload, and the session. */
  readonly draftName?: string | undefined
  /** The fields that no draft keeps anything of. */
  readonly secrets?: readonly (keyof Values & string)[]
  /** For secrets: a saved form is empty again. */
  readonly isClearedAfterwards?: boolean
  /**
   * For a change of what others may change too: reads what it is now. Fields that nobody changed here are not sent, and
   * one that somebody else has changed as well is overwritten only by saving again.
   */
  readonly readLatest?: (() => Promise<Values>) | undefined
  /** What no schema can say, such as two columns of one name. */
  readonly check?: (values: Values) => readonly InputProblem[]
}

type FieldNames<Values extends FieldValues> = Readonly<Record<string, FieldPath<Values>>>

export interface Form<Values extends FieldValues> extends UseFormReturn<Values, unknown, Values> {
  readonly submit: (event?: FormEvent) => Promise<void>
  readonly isRequired: (name: string) => boolean
  /** Whether it began with what was typed before this visit. */
  readonly isRestored: boolean
  /** Whether what was typed then has been saved with other values since. */
  readonly isOutdated: boolean
  /** Drops what was typed. */
  readonly discardDraft: () => void
}

export function useForm<Values extends FieldValues, Input>({
  initial,
  schema,
  toInput,
  send,
  fieldOf = {},
  check,
  draftName,
  secrets,
  readLatest,
  isClearedAfterwards = false,
}: FormOptions<Values, Input>): Form<Values> {
  const namesOf = (values: Values) => (typeof fieldOf === 'function' ? fieldOf(values) : fieldOf)
  const form = useHookForm<Values, unknown, Values>({
    // Safe: whole values are legal defaults.
    defaultValues: initial as DefaultValues<Values>,
    reValidateMode: 'onChange',
    resolver: async (values, _context, { names = [] }) => {
      const problems = [...(check?.(values) ?? []), ...(await checkSchema(schema, () => toInput(values)))]
      const errors = toErrors<Values>(problems, namesOf(values), names)
      // Safe: without errors the values are the result, and with some nobody reads them.
      return { values, errors } as ResolverResult<Values>
    },
  })
  const { setError, control, handleSubmit } = form
  const draft = useFormDraft(form, { draftName, secrets, initial })
  const requiredNames = (schema?.required as readonly string[] | undefined) ?? []
  const { readChanges, forgetContested } = useChanges({ readLatest, toInput, requiredNames })
  useNewerInitial(form, initial, readLatest !== undefined)
  const save = async (values: Values): Promise<void> => {
    try {
      // Safe: the form begins with whole values.
      const initialValues = control._defaultValues as DefaultValues<Values> as Values
      const { input, savedValues } = await readChanges(values, initialValues)
      await send(input)
      // What is saved is no longer an unsaved change.
      form.reset(isClearedAfterwards ? initial : savedValues)
      forgetContested()
      draft.forget()
    } catch (error) {
      const rejection = error instanceof RequestFailed ? problemOfRejection(error.message) : undefined
      const field = rejection && fieldAt(rejection.path, namesOf(values), [...control._names.mount])
      if (rejection === undefined || field === undefined)
        setError('root', { message: sentenceOf(error).description })
      // Safe: it is one of the names of fields that are on the screen.
      else
        setError(field as FieldPath<Values>, { message: sentence(rejection.problem) }, { shouldFocus: true })
    }
  }
  const requiredFields = new Set(requiredNames.map((name) => namesOf(initial)[name] ?? name))
  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault()
    // A form in a dialog is not sent with the form that the dialog stands in.
    event?.stopPropagation()
    await handleSubmit(save)()
  }
  const discardDraft = (): void => {
    form.reset(initial)
    draft.forget()
  }
  return {
    ...form,
    submit,
    isRequired: (name) => requiredFields.has(name),
    isRestored: draft.isRestored,
    isOutdated: draft.isOutdated,
    discardDraft,
  }
}

/** The input of the values; where others may have changed the thing, what these values change of it. */
function useChanges<Values extends FieldValues, Input>({
  readLatest,
  toInput,
  requiredNames,
}: Pick<FormOptions<Values, Input>, 'readLatest' | 'toInput'> & {
  readonly requiredNames: readonly string[]
}) {
  // Safe: the input of an operation is an object.
  const fieldsOf = (values: Values) => toInput(values) as Readonly<Record<string, unknown>>
  /** What others have made of contested fields, once the form has said so. */
  const contestedValues = useRef<Readonly<Record<string, unknown>>>({})
  const readChanges = async (values: Values, initial: Values) => {
    if (readLatest === undefined) return { input: toInput(values), savedValues: values }
    const latestValues = await readLatest()
    const [latest, initialFields] = [fieldsOf(latestValues), fieldsOf(initial)]
    const changes = changedFields(fieldsOf(values), initialFields, requiredNames)
    const contested = contestedFields(changes, { ...initialFields, ...contestedValues.current }, latest)
    if (contested.length > 0) {
      const theirs = Object.fromEntries(contested.map((name) => [name, latest[name]]))
      contestedValues.current = { ...contestedValues.current, ...theirs }
      throw new Error(contestedText)
    }
    // Safe: what is left out is optional.
    return { input: changes as Input, savedValues: withLatest(values, initial, latestValues) }
  }
  const forgetContested = (): void => {
    contestedValues.current = {}
  }
  return { readChanges, forgetContested }
}

/** Shows what somebody else has saved meanwhile where nothing was typed into the form. */
function useNewerInitial<Values extends FieldValues>(
  { getValues, reset, control }: UseFormReturn<Values, unknown, Values>,
  initial: Values,
  isEnabled: boolean,
): void {
  const shownInitial = useRef(initial)
  useEffect(() => {
    if (!isEnabled || isSame(shownInitial.current, initial)) return
    if (!isSame(getValues(), control._defaultValues)) return
    shownInitial.current = initial
    reset(initial)
  })
}

const noSecrets: readonly never[] = []

/** Begins with the draft of this name, and keeps what is typed as its new text. */
function useFormDraft<Values extends FieldValues>(
  { reset, subscribe, control }: UseFormReturn<Values, unknown, Values>,
  {
    draftName: name,
    secrets = noSecrets,
    initial,
  }: Pick<FormOptions<Values, unknown>, 'draftName' | 'secrets' | 'initial'>,
) {
  const [draft] = useState(() => {
    if (name === undefined) return undefined
    const formDraft = readDraft(name, (value) => isFormDraft(value, initial))
    return formDraft && restoreDraft(formDraft, initial)
  })
  const [isRestored, setRestored] = useState(draft !== undefined)
  useEffect(() => {
    if (draft !== undefined) reset(draft.values, { keepDefaultValues: true })
  }, [draft, reset])
  useEffect(() => {
    if (name === undefined) return
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (!isDirty) return forgetDraft(name)
        // Safe: the form begins with whole values.
        const base = control._defaultValues as DefaultValues<Values> as Values
        const withoutSecrets = secrets.map((field) => [field, base[field]])
        keepDraft(name, { values: { ...values, ...Object.fromEntries(withoutSecrets) }, base })
      },
    })
  }, [name, secrets, subscribe, control])
  return {
    isRestored,
    isOutdated: isRestored && draft?.isOutdated === true,
    forget: (): void => {
      if (name !== undefined) forgetDraft(name)
      setRestored(false)
    },
  }
}

async function checkSchema(
  schema: InputSchema | undefined,
  input: () => unknown,
): Promise<readonly InputProblem[]> {
  if (schema === undefined) return []
  // Without its code the check is the service's alone, which makes it in any case.
  const check = await import('./check-input.ts').catch(() => undefined)
  return check?.checkInput(schema, input()) ?? []
}

/** Each problem at its field, the first of each; at the form where no field shows it. */
function toErrors<Values extends FieldValues>(
  problems: readonly InputProblem[],
  fieldOf: Readonly<Record<string, string>>,
  fields: readonly string[],
): FieldErrors<Values> {
  const errors = {}
  const paths = new Set<string>()
  for (const { path, problem } of problems) {
    const field = fieldAt(path, fieldOf, fields)
    if (paths.has(field ?? 'root')) continue
    paths.add(field ?? 'root')
    const message = field === undefined && path !== '' ? `${path}: ${problem}` : sentence(problem)
    set(errors, field ?? 'root', { type: 'schema', message })
  }
  return errors
}
