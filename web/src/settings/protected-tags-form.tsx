import schema from '@plumbline/sdk/input-schemas?approvals.configure'
import { useRead, useReadLatest } from '../app/api.ts'
import { useOperationForm } from '../app/use-operation-form.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { TextField } from '../ui/form/fields.tsx'
import { BareForm } from '../ui/form/form.tsx'
import { SaveChanges } from '../ui/form/save-changes.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The tags that move only with someone else's approval. */
export function ProtectedTagsForm({ isEditable }: { readonly isEditable: boolean }) {
  const { data, error, refetch } = useRead('approvals.tags', {})
  if (data === undefined)
    return error === null ? (
      <Skeleton className="h-8 w-full" />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  return <TagsForm tags={data.tags} isEditable={isEditable} />
}

interface TagsFormProps {
  readonly tags: readonly string[]
  readonly isEditable: boolean
}

const valuesOf = (tags: readonly string[]) => ({ tags: tags.join(', ') })

function TagsForm({ tags, isEditable }: TagsFormProps) {
  const readLatest = useReadLatest()
  const toasts = useToasts()
  const form = useOperationForm('approvals.configure', {
    schema,
    initial: valuesOf(tags),
    toInput: (values) => ({
      tags: [...new Set(values.tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
    }),
    readLatest: async () => valuesOf((await readLatest('approvals.tags', {})).tags),
    refreshes: ['approvals.tags'],
    onDone: () => toasts.done('Protected tags saved'),
  })
  return (
    <BareForm form={form} className="flex flex-col gap-3">
      <TextField
        form={form}
        name="tags"
        label="Tags"
        isRequired={false}
        hint="Separated by commas. Leave empty to protect none."
        placeholder="production"
        disabled={!isEditable}
      />
      {isEditable && <SaveChanges form={form} action="Save" />}
    </BareForm>
  )
}
