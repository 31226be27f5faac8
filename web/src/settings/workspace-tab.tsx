/** The workspace: its name, its retention, and the user's role in it. */
import schema from '@plumbline/sdk/input-schemas?workspaces.update'
import { useRead, useReadLatest } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { TextField } from '../ui/form/fields.tsx'
import { BareForm } from '../ui/form/form.tsx'
import { SaveChanges } from '../ui/form/save-changes.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { ProtectedTagsForm } from './protected-tags-form.tsx'
import { RetentionForm } from './retention/retention-form.tsx'
import { Section } from './section.tsx'

const meanings = {
  viewer: 'You can read everything except secrets.',
  editor: 'You can edit prompts, datasets, evaluators and experiments, and record traces.',
  admin: 'You can also change settings: API keys, members, prices.',
  owner: 'You can do everything, including managing owners.',
} as const

export function WorkspaceTab() {
  const { session, may } = useSession()
  const workspace = useRead('workspaces.get', {})
  if (workspace.isError && workspace.data === undefined)
    return <ErrorState error={workspace.error} onRetry={() => void workspace.refetch()} />
  const role = session?.role
  return (
    <>
      <Section title="Workspace" hint="Everything one team records and edits. Workspaces share no data.">
        {workspace.data === undefined ? (
          <Skeleton className="h-8 w-full" />
        ) : (
          <>
            <NameForm name={workspace.data.workspace.name} isEditable={may('admin')} />
            <div className="flex flex-col gap-1">
              <p className="text-sm font-medium">ID</p>
              <div className="flex items-center gap-1">
                <code className="min-w-0 font-mono text-xs break-all text-ink-2">
                  {workspace.data.workspace.id}
                </code>
                <CopyButton text={workspace.data.workspace.id} label="Copy workspace ID" />
              </div>
              <p className="text-xs text-ink-3">
                Scripts that sign in with a user account send it in the{' '}
                <code className="font-mono">Plumbline-Workspace</code> header.
              </p>
            </div>
          </>
        )}
      </Section>
      <Section
        title="Retention"
        hint="How long traces, logs and scores are kept. Hourly totals are always kept; they contain no text."
      >
        <RetentionForm isEditable={may('admin')} />
      </Section>
      <Section
        title="Protected tags"
        hint="Prompt tags, such as production, that move only once an admin other than the requester approves."
      >
        <ProtectedTagsForm isEditable={may('admin')} />
      </Section>
      <Section title="Your role">
        {session?.person === undefined ? (
          <Skeleton className="h-8 w-full" />
        ) : (
          <div className="flex flex-col gap-1 text-sm">
            <p className="flex min-w-0 items-center gap-2">
              <span className="min-w-0 truncate font-medium" title={session.person.name}>
                {session.person.name}
              </span>
              {role !== undefined && <Badge tone="accent">{role}</Badge>}
            </p>
            <p className="break-all text-ink-2">{session.person.email}</p>
            {role !== undefined && <p className="text-ink-2">{meanings[role]}</p>}
          </div>
        )}
      </Section>
      {role === 'owner' && workspace.data !== undefined && (
        <DeleteWorkspace id={workspace.data.workspace.id} name={workspace.data.workspace.name} />
      )}
    </>
  )
}

function NameForm({ name, isEditable }: { readonly name: string; readonly isEditable: boolean }) {
  const readLatest = useReadLatest()
  const toasts = useToasts()
  const form = useOperationForm('workspaces.update', {
    schema,
    initial: { name },
    toInput: (values) => ({ name: values.name.trim() }),
    readLatest: async () => ({ name: (await readLatest('workspaces.get', {})).workspace.name }),
    refreshes: ['workspaces.get', 'workspaces.list', 'session.get'],
    onDone: ({ workspace }) => toasts.done(`Workspace renamed to "${workspace.name}"`),
  })
  return (
    <BareForm form={form} className="flex flex-col gap-3">
      <TextField form={form} name="name" label="Name" disabled={!isEditable} maxLength={128} />
      {isEditable && <SaveChanges form={form} action="Rename" />}
    </BareForm>
  )
}
