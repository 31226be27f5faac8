/** A labelled control of a form, with its hint and what is wrong with it. */
import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

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
  /** An `Input`, a `Textarea`, a `Select` or another Base UI control. */
  readonly children: ReactNode
}

export function Field({ label, hint, problem, children }: FieldProps) {
  return (
    <Base.Root invalid={problem !== undefined} className="flex flex-col gap-1">
      <Base.Label className="text-sm font-medium">{label}</Base.Label>
      {children}
      {hint !== undefined && <Base.Description className="text-xs text-ink-3">{hint}</Base.Description>}
      <Base.Error match={problem !== undefined} className="text-xs text-bad">
        {problem}
      </Base.Error>
    </Base.Root>
  )
}

/** Several choices under one name: checkboxes, radio buttons. */
export function Group({ label, hint, children }: Omit<FieldProps, 'problem'>) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {children}
      {hint !== undefined && <p className="text-xs text-ink-3">{hint}</p>}
    </fieldset>
  )
}
