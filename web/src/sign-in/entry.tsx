/**
 * The frame of every screen before the sign-in, and its form: without the form library, which would double the size
 * of such a screen.
 */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { forgetAnswers } from '../app/session.tsx'
import { basePath } from '../ui/base-path.ts'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Input } from '../ui/form/field.tsx'
import { checkEntry, type EntryField, type Problems } from './check-entry.ts'
import { PasswordInput } from './password-input.tsx'

interface EntryProps {
  readonly title: string
  readonly children?: ReactNode
}

export function Entry({ title, children }: EntryProps) {
  useEffect(() => {
    document.title = `${title} · Plumbline`
  }, [title])
  return (
    <main className="grid min-h-full place-items-center bg-sunken p-4">
      <div className="floating w-full max-w-sm p-6">
        <img src={`${basePath}/app/plumbline.svg`} alt="Plumbline" width={32} height={32} />
        <h1 className="mt-4 text-title font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  )
}

interface EntryFormProps {
  readonly fields: readonly EntryField[]
  readonly action: string
  /** Resolves once the user is signed in. */
  readonly send: (values: Readonly<Record<string, string>>) => Promise<unknown>
  /** The path to open then. */
  readonly to?: string | undefined
}

export function EntryForm({ fields, action, send, to = '/' }: EntryFormProps) {
  const router = useRouter()
  const queries = useQueryClient()
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      forgetAnswers(queries)
      await router.navigate({ href: ownPath(to), replace: true })
    },
  })
  const [problems, setProblems] = useState<Problems>({})
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const)
    const values: Readonly<Record<string, string>> = Object.fromEntries(entries)
    const problems = checkEntry(fields, values)
    setProblems(problems)
    const [first] = Object.keys(problems)
    if (first === undefined) sending.mutate(values)
    else form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }
  return (
    // The form shows its own messages at the fields: the browser's are in the browser's language, and disappear.
    <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
      {fields.map(({ name, label, type = 'text', autoComplete, hint }) => (
        <Field key={name} label={label} hint={hint} problem={problems[name]}>
          {type === 'password' ? (
            <PasswordInput name={name} autoComplete={autoComplete} />
          ) : (
            <Input name={name} type={type} autoComplete={autoComplete} required />
          )}
        </Field>
      ))}
      {sending.isError && (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(sending.error).description}
        </p>
      )}
      <Button type="submit" look="primary" isBusy={sending.isPending}>
        {action}
      </Button>
    </form>
  )
}

/** Only a path of the web app: a link may contain anything. */
const ownPath = (path: string): string => (/^\/(?![/\\])/.test(path) ? path : '/')
