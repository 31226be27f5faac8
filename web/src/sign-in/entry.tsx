/** The frame of every screen before the sign-in, and the form in it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { forgetAnswers } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Input } from '../ui/field.tsx'

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
        <img src="/app/plumbline.svg" alt="Plumbline" width={32} height={32} />
        <h1 className="mt-4 text-title font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  )
}

export interface EntryField {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly hint?: string
}

interface EntryFormProps {
  readonly fields: readonly EntryField[]
  readonly action: string
  /** Sends the fields; resolves once the person is signed in. */
  readonly send: (values: Readonly<Record<string, string>>) => Promise<unknown>
  /** Where it leads then, in the page. */
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
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    sending.mutate(Object.fromEntries(values))
  }
  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-4">
      {fields.map(({ name, label, type = 'text', autoComplete, hint }) => (
        <Field key={name} label={label} hint={hint}>
          <Input
            name={name}
            type={type}
            autoComplete={autoComplete}
            required
            minLength={type === 'password' && autoComplete === 'new-password' ? 10 : 1}
          />
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

/** Only a path of the page itself: a link may state anything. */
const ownPath = (to: string): string => (/^\/(?![/\\])/.test(to) ? to : '/')
