/** What a queue is: changed here, and fed from here. */
import type { AnnotationQueue } from '@plumbline/sdk'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { useToasts } from '../ui/toast.tsx'
import { EvaluatorChoice } from './evaluator-choice.tsx'
import { feedDraftOf, readFeed } from './feed-draft.ts'
import { FeedFields } from './feed-fields.tsx'
import { readPeople } from './read-people.ts'
import { queueRoute } from './routes.ts'

export function SettingsTab({ queue }: { readonly queue: AnnotationQueue }) {
  const navigate = queueRoute.useNavigate()
  const toasts = useToasts()
  const [name, setName] = useState(queue.name)
  const [instructions, setInstructions] = useState(queue.instructions)
  const [slugs, setSlugs] = useState<readonly string[]>(queue.evaluatorSlugs)
  const [people, setPeople] = useState(String(queue.annotatorsPerItem))
  const [feedDraft, setFeedDraft] = useState(() => feedDraftOf(queue.feed))
  const [isDeleting, setDeleting] = useState(false)
  const save = useChange('annotationQueues.update', {
    refreshes: ['annotationQueues.get', 'annotationQueues.list'],
    showsErrors: true,
    onDone: () => toasts.done('Saved'),
  })
  const remove = useChange('annotationQueues.delete', {
    refreshes: ['annotationQueues.list'],
    onDone: () => void navigate({ to: '/annotation' }),
  })
  const annotatorsPerItem = readPeople(people)
  const feed = readFeed(feedDraft)
  const isReady =
    name.trim() !== '' && slugs.length > 0 && annotatorsPerItem !== undefined && !('problem' in feed)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    save.mutate({
      id: queue.id,
      name: name.trim(),
      instructions,
      evaluatorSlugs: [...slugs],
      annotatorsPerItem,
      feed: feed.feed,
    })
  }
  return (
    <form onSubmit={submit} className="flex max-w-2xl flex-col gap-5 p-4">
      <Field label="Name">
        <Input
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={200}
        />
      </Field>
      <EvaluatorChoice slugs={slugs} onChange={setSlugs} />
      <Field
        label="People an item"
        hint="Two or more show how far people agree."
        problem={annotatorsPerItem === undefined ? 'A whole number from 1 to 20.' : undefined}
      >
        <Input
          inputMode="numeric"
          className="w-24"
          value={people}
          onChange={(event) => setPeople(event.currentTarget.value)}
        />
      </Field>
      <Field label="Instructions" hint="In Markdown. What to know before judging.">
        <Textarea
          rows={6}
          maxLength={20_000}
          value={instructions}
          onChange={(event) => setInstructions(event.currentTarget.value)}
        />
      </Field>
      <FeedFields
        draft={feedDraft}
        problem={'problem' in feed ? feed.problem : undefined}
        onChange={setFeedDraft}
      />
      {save.error !== null && (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(save.error).description}
        </p>
      )}
      <div className="flex items-center gap-2 border-t border-line pt-4">
        <Button type="submit" look="primary" disabled={!isReady} isBusy={save.isPending}>
          Save
        </Button>
        <span className="flex-1" />
        <Button look="danger" icon={<Trash2 aria-hidden size={14} />} onClick={() => setDeleting(true)}>
          Delete the queue
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete “${queue.name}”?`}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id: queue.id })}
      >
        Its items go, and who has judged what. The scores that people gave stay with their traces.
      </ConfirmDialog>
    </form>
  )
}
