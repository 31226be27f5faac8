import { KeyRound } from 'lucide-react'
import { useChange } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/form/field.tsx'
import { CopyBox } from '../ui/text/copy-box.tsx'

interface KeyStepProps {
  readonly secret: string
  readonly onSecret: (secret: string) => void
}

/** Creates a key for the first application, or accepts an existing one. */
export function KeyStep({ secret, onSecret }: KeyStepProps) {
  const { may } = useSession()
  const create = useChange('keys.create', {
    refreshes: ['keys.list'],
    onDone: ({ secret }) => onSecret(secret),
  })
  const mayMake = may('admin')
  const isMade = create.data?.secret !== undefined && create.data.secret === secret
  if (isMade)
    return (
      <div className="flex flex-col gap-2">
        <p className="text-sm text-ink-2">
          The snippets below already use it. You won’t see it again, so store it in a safe place.
        </p>
        <CopyBox text={secret} label="Copy key" />
      </div>
    )
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      {mayMake && (
        <Button
          look="primary"
          icon={<KeyRound aria-hidden size={14} />}
          isBusy={create.isPending}
          onClick={() => create.mutate({ name: 'First application', scopes: ['ingest', 'read'] })}
        >
          Create an API key
        </Button>
      )}
      <div className="min-w-52 flex-1">
        <Field
          label={mayMake ? 'Or use an existing key' : 'Your API key'}
          hint={mayMake ? undefined : 'Admins create API keys in the settings. Ask one for a key.'}
        >
          <Input
            value={secret}
            placeholder="pl_…"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onSecret(event.currentTarget.value.trim())}
            className="font-mono"
          />
        </Field>
      </div>
    </div>
  )
}
