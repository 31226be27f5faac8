/** A labelled control of a form, with its hint and what is wrong with it. */
import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'

const controlClass = 'control w-full px-2 disabled:opacity-50 aria-invalid:border-bad'

/** A text field without a label of its own: give it `aria-label`, or put it in a `Field`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <Base.Control {...rest} className={classNames(controlClass, className)} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <Base.Control
      render={<textarea {...rest} />}
      className={classNames(controlClass, 'h-auto min-h-20 py-1.5 leading-normal', className)}
    />
  )
}

interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** The sentence that says what is wrong. */
  readonly problem?: string | undefined
  /** Marks the label. */
  readonly isRequired?: boolean | undefined
  /** An `Input`, a `Textarea`, a `Select` or another Base UI control. */
  readonly children: ReactNode
}

/** A star that screen readers and tests do not take for a part of the name. */
const requiredMark = "after:ml-0.5 after:text-ink-3 after:content-['*'/'']"

export function Field({ label, hint, problem, isRequired = false, children }: FieldProps) {
  return (
    <Base.Root invalid={problem !== undefined} className="flex flex-col gap-1">
      <Base.Label className={classNames('text-sm font-medium', isRequired && requiredMark)}>
        {label}
      </Base.Label>
      {children}
      {hint !== undefined && <Base.Description className="text-xs text-ink-3">{hint}</Base.Description>}
      <Base.Error match={problem !== undefined} className="text-xs text-bad">
        {problem}
      </Base.Error>
    </Base.Root>
  )
}

/** A control that names itself, and what is wrong with it. */
export const BareField = ({ problem, children }: Pick<FieldProps, 'problem' | 'children'>) => (
  <Base.Root invalid={problem !== undefined} className="flex flex-col gap-1">
    {children}
    <Base.Error match={problem !== undefined} className="text-xs text-bad">
      {problem}
    </Base.Error>
  </Base.Root>
)

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
