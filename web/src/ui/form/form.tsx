/** A form: its fields, its overall problem, and its buttons. Cmd or Ctrl and Enter submit it. */
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { type FieldValues, useFormState } from 'react-hook-form'
import { late } from '../late.ts'
import { RestoredNote } from '../storage/restored-note.tsx'
import { FormActions } from './form-actions.tsx'
import { useUnsavedChanges } from './unsaved-changes.tsx'
import type { Form as FormState } from './use-form.ts'

/** There is nothing to guard before the first interaction. */
const PageGuard = late(async () => (await import('./page-guard.tsx')).PageGuard)

interface FormProps<Values extends FieldValues> {
  readonly form: FormState<Values>
  readonly children: ReactNode
  /** The verb on the submit button. */
  readonly action: ReactNode
  readonly onCancel?: (() => void) | undefined
  readonly cancel?: string
  readonly isCancelFocused?: boolean
  /** Disabled if there is nothing to choose from, but not for problems shown at the fields. */
  readonly isDisabled?: boolean
  readonly isSticky?: boolean
  readonly className?: string
  /** Its accessible name, if no surrounding dialog has one. */
  readonly label?: string
  /** For a full-screen form: its buttons are left-aligned, and leaving it with changes needs confirmation. */
  readonly isPage?: boolean
  /** A side effect of submitting, shown next to the buttons. */
  readonly note?: ReactNode
  /** Further buttons of a page, at the other end of the row. */
  readonly extraAction?: ReactNode
}

export function Form<Values extends FieldValues>({
  form,
  children,
  className,
  label,
  isPage = false,
  ...actions
}: FormProps<Values>) {
  const { isSubmitting, errors } = useFormState({ control: form.control })
  return (
    <BareForm form={form} className={className} guardsPage={isPage} label={label}>
      {form.isRestored && <RestoredNote isOutdated={form.isOutdated} onDiscard={form.discardDraft} />}
      {children}
      <FormActions {...actions} isPage={isPage} isBusy={isSubmitting} error={errors.root?.message} />
    </BareForm>
  )
}

type BareFormProps<Values extends FieldValues> = Pick<FormProps<Values>, 'form' | 'children'> & {
  readonly className?: string | undefined
  readonly guardsPage?: boolean | undefined
  readonly label?: string | undefined
}

/** A form whose buttons are not at its end. */
export function BareForm<Values extends FieldValues>({
  form,
  children,
  className = 'flex flex-col gap-4',
  guardsPage = false,
  label,
}: BareFormProps<Values>) {
  const { isSubmitting, isDirty, submitCount } = useFormState({ control: form.control })
  const element = useRef<HTMLFormElement>(null)
  // After the problems have rendered.
  useEffect(() => {
    if (submitCount > 0 && element.current !== null) focusProblem(element.current)
  }, [submitCount])
  // Until it is saved, which may fail.
  useUnsavedChanges(isDirty)
  const hasChanges = isDirty && !isSubmitting
  return (
    <form
      aria-label={label}
      ref={element}
      onSubmit={(event) => void form.submit(event)}
      onKeyDown={sendOnModEnter}
      noValidate
      className={className}
    >
      {children}
      {guardsPage && (
        <Suspense>
          <PageGuard hasChanges={hasChanges} onDiscard={form.discardDraft} />
        </Suspense>
      )}
    </form>
  )
}

/** The form library focuses only inputs; an invalid combobox out of sight would go unnoticed. */
function focusProblem(element: HTMLElement): void {
  const invalid = '[aria-invalid="true"]'
  if (element.querySelector(`${invalid}:focus`) === null) element.querySelector<HTMLElement>(invalid)?.focus()
}

function sendOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
