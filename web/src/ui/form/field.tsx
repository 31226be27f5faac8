/** A labelled form control, with its hint and its problem. */
import { type ComponentProps, createContext, type ReactNode, useContext, useId, useMemo } from 'react'
import { classNames } from '../class-names.ts'

/** The accessibility attributes of a control from its field. */
interface FieldControl {
  readonly id?: string | undefined
  readonly 'aria-labelledby'?: string | undefined
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: boolean | undefined
}

const FieldContext = createContext<FieldControl>({})

/** The attributes that connect a control with its field; a control with its own name keeps it. */
export function useFieldControl(label: string | undefined): FieldControl {
  const control = useContext(FieldContext)
  if (label === undefined) return control
  const { id, 'aria-labelledby': name, ...rest } = control
  return rest
}

const controlClass = 'control w-full px-2 disabled:opacity-50 aria-invalid:border-bad'

/** A text field without a label of its own: give it `aria-label`, or put it in a `Field`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  const control = useFieldControl(rest['aria-label'])
  return <input {...control} {...rest} className={classNames(controlClass, className)} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  const control = useFieldControl(rest['aria-label'])
  return (
    <textarea
      {...control}
      {...rest}
      className={classNames(controlClass, 'h-auto min-h-20 py-1.5 leading-normal', className)}
    />
  )
}

interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** The problem, as a sentence. */
  readonly problem?: string | undefined
  /** Marks the label as required. */
  readonly isRequired?: boolean | undefined
  /** An `Input`, a `Textarea`, a `Select`, or another control that uses `useFieldControl`. */
  readonly children: ReactNode
}

/** An asterisk that is not part of the accessible name. */
const requiredMark = "after:ml-0.5 after:text-ink-3 after:content-['*'/'']"

export function Field({ label, hint, problem, isRequired = false, children }: FieldProps) {
  const id = useId()
  const control = useControl(id, true, hint !== undefined, problem !== undefined)
  return (
    <div className="flex flex-col gap-1">
      <label
        id={`${id}-label`}
        htmlFor={`${id}-control`}
        className={classNames('text-sm font-medium break-words', isRequired && requiredMark)}
      >
        {label}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      <Problem id={id} problem={problem} />
    </div>
  )
}

/** A control with its own name, and its problem. */
export function BareField({ problem, children }: Pick<FieldProps, 'problem' | 'children'>) {
  const id = useId()
  const control = useControl(id, false, false, problem !== undefined)
  return (
    <div className="flex flex-col gap-1">
      <FieldContext value={control}>{children}</FieldContext>
      <Problem id={id} problem={problem} />
    </div>
  )
}

const Problem = ({ id, problem }: { readonly id: string; readonly problem: string | undefined }) =>
  problem === undefined ? null : (
    <div id={`${id}-problem`} className="text-xs text-bad">
      {problem}
    </div>
  )

const useControl = (id: string, hasLabel: boolean, hasHint: boolean, hasProblem: boolean): FieldControl =>
  useMemo(() => {
    const descriptions = [hasHint && `${id}-hint`, hasProblem && `${id}-problem`].filter(Boolean)
    return {
      ...(hasLabel && { id: `${id}-control`, 'aria-labelledby': `${id}-label` }),
      'aria-describedby': descriptions.join(' ') || undefined,
      'aria-invalid': hasProblem || undefined,
    }
  }, [id, hasLabel, hasHint, hasProblem])

/** Several choices under one name: checkboxes, radio buttons. */
export function Group({ label, hint, problem, children }: Omit<FieldProps, 'isRequired'>) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {children}
      {hint !== undefined && <p className="text-xs text-ink-3">{hint}</p>}
      {problem !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
