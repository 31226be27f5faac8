import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Input } from '../ui/form/field.tsx'
import { post } from './auth.ts'
import { Entry } from './entry.tsx'

/** Requests a password reset link by e-mail; the response does not reveal whether the address has an account. */
export function ForgotScreen() {
  const request = useMutation({ mutationFn: (email: string) => post('/auth/forgot-password', { email }) })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    request.mutate(String(new FormData(event.currentTarget).get('email')))
  }
  return (
    <Entry title="Forgot password">
      {request.isSuccess ? (
        <p role="status" className="mt-4 text-sm text-ink-2">
          If this address has an account with a password, we have sent a link to it. It works once and expires
          after an hour. If nothing arrives, wait five minutes and try again, or ask an admin.
        </p>
      ) : (
        <form onSubmit={submit} className="mt-4 flex flex-col gap-4">
          <Field label="E-mail">
            <Input name="email" type="email" autoComplete="username" required maxLength={254} />
          </Field>
          {request.isError && (
            <p role="alert" className="text-sm text-bad">
              {sentenceOf(request.error).description}
            </p>
          )}
          <Button type="submit" look="primary" isBusy={request.isPending}>
            Send link
          </Button>
        </form>
      )}
      <p className="mt-4 text-sm">
        <Link to="/sign-in" className="text-accent-ink hover:underline">
          Back to sign in
        </Link>
      </p>
    </Entry>
  )
}
