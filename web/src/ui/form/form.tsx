/** A form: its fields, what is wrong with it as a whole, and its buttons. Cmd or Ctrl and Enter send it. */
import type { KeyboardEvent, ReactNode } from 'react'
import { type FieldValues, useFormState } from 'react-hook-form'
import { FormActions } from './form-actions.tsx'
import { PageGuard } from './page-guard.tsx'
import { useUnsavedChanges } from './unsaved-changes.tsx'
import type { Form as FormState } from './use-form.ts'

interface FormProps<Values extends FieldValues> {
  readonly form: FormState<Values>
  readonly children: ReactNode
  /** The verb on the button that sends the form. */
  readonly action: ReactNode
  readonly onCancel?: (() => void) | undefined
  readonly cancel?: string
  /** Disabled where there is nothing to choose from, and not for what the fields say themselves. */
  readonly isDisabled?: boolean
  readonly isSticky?: boolean
  readonly className?: string
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
  isPage = false,
  ...actions
}: FormProps<Values>) {
  const { isSubmitting, errors } = useFormState({ control: form.control })
  return (
    <BareForm form={form} className={className} guardsPage={isPage}>
      {children}
      <FormActions {...actions} isPage={isPage} isBusy={isSubmitting} error={errors.root?.message} />
    </BareForm>
  )
}

type BareFormProps<Values extends FieldValues> = Pick<FormProps<Values>, 'form' | 'children'> & {
  readonly className?: string | undefined
  readonly guardsPage?: boolean | undefined
  readonly label?: string
}

/** A form whose buttons stand somewhere else than at its end. */
export function BareForm<Values extends FieldValues>({
  form,
  children,
  className = 'flex flex-col gap-4',
  guardsPage = false,
  label,
}: BareFormProps<Values>) {
  const { isSubmitting, isDirty } = useFormState({ control: form.control })
  const hasChanges = isDirty && !isSubmitting
  useUnsavedChanges(hasChanges)
  return (
    <form
      aria-label={label}
      onSubmit={(event) => void form.submit(event)}
      onKeyDown={sendOnModEnter}
      noValidate
      className={className}
    >
      {children}
      {guardsPage && <PageGuard hasChanges={hasChanges} />}
    </form>
  )
}

function sendOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
