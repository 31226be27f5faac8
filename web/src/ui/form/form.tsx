/** A form: its fields, what is wrong with it as a whole, and its buttons. Cmd or Ctrl and Enter send it. */
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { type FieldValues, useFormState } from 'react-hook-form'
import { late } from '../late.ts'
import { RestoredNote } from '../storage/restored-note.tsx'
import { FormActions } from './form-actions.tsx'
import { useUnsavedChanges } from './unsaved-changes.tsx'
import type { Form as FormState } from './use-form.ts'

/** There is nothing to guard before somebody is there. */
const PageGuard = late(async () => (await import('./page-guard.tsx')).PageGuard)

interface FormProps<Values extends FieldValues> {
  readonly form: FormState<Values>
  readonly children: ReactNode
  /** The verb on the button that sends the form. */
  readonly action: ReactNode
  readonly onCancel?: (() => void) | undefined
  readonly cancel?: string
  readonly isCancelFocused?: boolean
  /** Disabled where there is nothing to choose from, and not for what the fields say themselves. */
  readonly isDisabled?: boolean
  readonly isSticky?: boolean
  readonly className?: string
  /** Its accessible name, where no dialog around it has one. */
  readonly label?: string
  /** For a form that is a screen: its buttons begin at the left, and leaving it with changes asks first. */
  readonly isPage?: boolean
  /** What sending does besides, next to the buttons. */
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

/** A form whose buttons stand somewhere else than at its end. */
export function BareForm<Values extends FieldValues>({
  form,
  children,
  className = 'flex flex-col gap-4',
  guardsPage = false,
  label,
}: BareFormProps<Values>) {
  const { isSubmitting, isDirty, submitCount } = useFormState({ control: form.control })
  const element = useRef<HTMLFormElement>(null)
  // Once what is wrong is on the screen.
  useEffect(() => {
    if (submitCount > 0 && element.current !== null) focusProblem(element.current)
  }, [submitCount])
  // Until it is saved: that may fail.
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

/** The form's library focuses inputs only; a combobox out of sight would be wrong without a word. */
function focusProblem(element: HTMLElement): void {
  const invalid = '[aria-invalid="true"]'
  if (element.querySelector(`${invalid}:focus`) === null) element.querySelector<HTMLElement>(invalid)?.focus()
}

function sendOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
