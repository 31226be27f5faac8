/** The state of a form: its values, their problems, and the service's error. */
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
  /** The initial values of the fields. */
  readonly initial: Values
  /** The schema of the operation's input: `import schema from '@plumbline/sdk/input-schemas?keys.create'`. */
  readonly schema?: InputSchema
  /** Creates the input to send. Fields named as in the input show its problems. */
  readonly toInput: (values: Values) => Input
  /** Sends the input; rejects with the service's error. */
  readonly send: (input: Input) => Promise<unknown>
  /** Paths of the input whose field has another name: `{ expiresAt: 'lifetime' }`. */
  readonly fieldOf?: FieldNames<Values> | ((values: Values) => FieldNames<Values>)
  /** The draft key: typed values are kept until they are saved or discarded, across reloads and sessions. */
  readonly draftName?: string | undefined
  /** The fields that are never stored in a draft. */
  readonly secrets?: readonly (keyof Values & string)[]
  /** For secrets: a saved form is cleared. */
  readonly isClearedAfterwards?: boolean
  /**
   * For resources that others may change too: reads the current values. Untouched fields are not sent, and a field
   * that another user has changed as well is overwritten only by saving again.
   */
  readonly readLatest?: (() => Promise<Values>) | undefined
  /** Checks that no schema can express, such as duplicate column names. */
  readonly check?: (values: Values) => readonly InputProblem[]
}

type FieldNames<Values extends FieldValues> = Readonly<Record<string, FieldPath<Values>>>

export interface Form<Values extends FieldValues> extends UseFormReturn<Values, unknown, Values> {
  readonly submit: (event?: FormEvent) => Promise<void>
  readonly isRequired: (name: string) => boolean
  /** Whether it started from a stored draft. */
  readonly isRestored: boolean
  /** Whether the draft's fields have been saved with other values since. */
  readonly isOutdated: boolean
  /** Discards the draft. */
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
    // Safe: complete values are valid defaults.
    defaultValues: initial as DefaultValues<Values>,
    reValidateMode: 'onChange',
    resolver: async (values, _context, { names = [] }) => {
      const problems = [...(check?.(values) ?? []), ...(await checkSchema(schema, () => toInput(values)))]
      const errors = toErrors<Values>(problems, namesOf(values), names)
      // Safe: without errors the values are the result, and with errors they are not read.
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
      // Safe: the form starts with complete values.
      const initialValues = control._defaultValues as DefaultValues<Values> as Values
      const { input, savedValues } = await readChanges(values, initialValues)
      await send(input)
      // Saved values are no longer unsaved changes.
      form.reset(isClearedAfterwards ? initial : savedValues)
      forgetContested()
      draft.forget()
    } catch (error) {
      const rejection = error instanceof RequestFailed ? problemOfRejection(error.message) : undefined
      const field = rejection && fieldAt(rejection.path, namesOf(values), [...control._names.mount])
      if (rejection === undefined || field === undefined)
        setError('root', { message: sentenceOf(error).description })
      // Safe: it is the name of a rendered field.
      else
        setError(field as FieldPath<Values>, { message: sentence(rejection.problem) }, { shouldFocus: true })
    }
  }
  const requiredFields = new Set(requiredNames.map((name) => namesOf(initial)[name] ?? name))
  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault()
    // Submitting a form in a dialog must not submit the form around the dialog.
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

/** The input made from the values; if others may have changed the resource, only the changed fields. */
function useChanges<Values extends FieldValues, Input>({
  readLatest,
  toInput,
  requiredNames,
}: Pick<FormOptions<Values, Input>, 'readLatest' | 'toInput'> & {
  readonly requiredNames: readonly string[]
}) {
  // Safe: the input of an operation is an object.
  const fieldsOf = (values: Values) => toInput(values) as Readonly<Record<string, unknown>>
  /** Others' values of contested fields, once the form has shown the conflict. */
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
    // Safe: the omitted fields are optional.
    return { input: changes as Input, savedValues: withLatest(values, initial, latestValues) }
  }
  const forgetContested = (): void => {
    contestedValues.current = {}
  }
  return { readChanges, forgetContested }
}

/** Shows values saved meanwhile by others in unedited fields. */
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

/** Starts from the draft with this key, and stores typed values in it. */
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
        // Safe: the form starts with complete values.
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
  // If the code cannot be loaded, only the service checks, as it always does.
  const check = await import('./check-input.ts').catch(() => undefined)
  return check?.checkInput(schema, input()) ?? []
}

/** The first problem of each field, at the field; at the form if no field shows it. */
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
