/** Writes a new version: texts as Jinja, the model, the variables of the text, and the rendered result. */
import type { PromptVersion } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { Screen } from '../../app/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { editPromptRoute } from '../routes.ts'
import { saysTheSame } from '../versions/version-diff.tsx'
import { type ModelDraft, readDraft, toDraft } from './model-draft.ts'
import { ModelForm } from './model-form.tsx'
import { isComplete, type Texts } from './prompt-messages.ts'
import type { DraftVersion } from './save-version-dialog.tsx'
import { FormSwitch, TemplateFields } from './template-fields.tsx'
import { TryPanel } from './try-panel.tsx'
import { useVariables } from './use-variables.ts'

const SaveVersionDialog = lateDialog(
  async () => (await import('./save-version-dialog.tsx')).SaveVersionDialog,
)

export function EditScreen() {
  const { slug } = editPromptRoute.useParams()
  const { from } = editPromptRoute.useSearch()
  const versions = useRead('versions.list', { slug })
  const list = versions.data?.versions
  if (list !== undefined) {
    const base = list.find(({ version }) => version === from) ?? list[0]
    return <Editor key={`${slug} ${base?.version}`} slug={slug} base={base} />
  }
  return (
    <Screen title="New version">
      {versions.isError ? (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      ) : (
        <Skeleton className="m-4 h-64" />
      )}
    </Screen>
  )
}

interface Content {
  readonly texts: Texts
  readonly model: ModelDraft
}

const contentOf = (base: PromptVersion | undefined): Content => ({
  texts:
    base?.messages === undefined
      ? { text: base?.text ?? '', systemText: base?.systemText ?? '' }
      : { text: '', systemText: '', messages: base.messages },
  model: toDraft(base?.model),
})

/** Whether a stored draft has the form of today's drafts. */
const isContent = (value: unknown): value is Content => {
  const { texts, model } = (value ?? {}) as Partial<Record<keyof Content, Record<string, unknown>>>
  const hasTexts =
    typeof texts?.text === 'string' &&
    typeof texts.systemText === 'string' &&
    (texts.messages === undefined || Array.isArray(texts.messages))
  return hasTexts && Object.keys(toDraft(undefined)).every((name) => typeof model?.[name] === 'string')
}

interface EditorProps {
  readonly slug: string
  readonly base: PromptVersion | undefined
}

function Editor({ slug, base }: EditorProps) {
  const navigate = editPromptRoute.useNavigate()
  const toasts = useToasts()
  const initial = useMemo(() => contentOf(base), [base])
  const storedDraft = useDraft(`prompt.${slug}.${base?.version ?? ''}`, initial, isContent)
  const { texts, model } = storedDraft.value
  const [side, setSide] = useState<'model' | 'try'>('model')
  const [isSaving, setSaving] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const variables = useVariables(texts)
  const read = useMemo(() => readDraft(model), [model])
  const draft: DraftVersion = { ...texts, model: read.model, config: base?.config }
  const isChanged = !saysTheSame(base ?? { text: '', systemText: '', model: {} }, draft)
  const hasProblem = Object.keys(read.problems).length > 0
  const maySave = isChanged && !hasProblem && isComplete(texts)
  const leave = (): void => void navigate({ to: '/prompts/$slug', params: { slug } })
  const discard = (): void => {
    storedDraft.discard()
    leave()
  }
  useShortcuts([
    { keys: 'mod+s', label: 'Save as a new version', onPress: () => maySave && setSaving(true) },
    { keys: 'mod+enter', label: 'Try it', onPress: () => setSide('try') },
  ])
  const onSaved = ({ version }: PromptVersion): void => {
    storedDraft.discard()
    setSaving(false)
    toasts.done(`Saved ${version}`, { description: 'Publish it to make it available to applications.' })
    void navigate({ to: '/prompts/$slug', params: { slug }, search: { version } })
  }
  return (
    <Screen
      title={`New version of ${slug}`}
      heading={<Heading slug={slug} base={base} />}
      actions={
        <>
          <Button onClick={() => (isChanged ? setAsking(true) : leave())}>Cancel</Button>
          <Button look="primary" disabled={!maySave} onClick={() => setSaving(true)}>
            Review and save
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
          {storedDraft.isRestored && isChanged && <RestoredNote onDiscard={storedDraft.discard} />}
          <div className="flex">
            <FormSwitch texts={texts} onChange={(next) => storedDraft.change({ texts: next, model })} />
          </div>
          <TemplateFields
            texts={texts}
            onChange={(patch) => storedDraft.change({ texts: { ...texts, ...patch }, model })}
            variables={variables}
          />
        </div>
        <Side
          {...{ slug, texts, model, side, variables }}
          problems={read.problems}
          onSide={setSide}
          onModel={(next) => storedDraft.change({ texts, model: next })}
        />
      </div>
      <SaveVersionDialog
        isOpen={isSaving}
        slug={slug}
        base={base}
        draft={draft}
        onSaved={onSaved}
        onClose={() => setSaving(false)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Discard the draft?"
        action="Discard"
        onConfirm={discard}
      >
        Your changes are not saved as a version. Leave the screen without discarding to keep them as a draft
        on this device.
      </ConfirmDialog>
    </Screen>
  )
}

const Heading = ({ slug, base }: EditorProps) => (
  <span className="flex min-w-0 items-center gap-2">
    <Link to="/prompts/$slug" params={{ slug }} className="truncate text-ink-2 hover:underline">
      {slug}
    </Link>
    <span className="text-ink-3">/</span>
    <span className="truncate">
      {base === undefined ? 'First version' : `New version from ${base.version}`}
    </span>
  </span>
)

const RestoredNote = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
    This is your unsaved draft.
    <Button size="small" onClick={onDiscard}>
      Start again
    </Button>
  </p>
)

interface SideProps extends Content {
  readonly slug: string
  readonly side: 'model' | 'try'
  readonly variables: ReturnType<typeof useVariables>
  readonly problems: ReturnType<typeof readDraft>['problems']
  readonly onSide: (side: 'model' | 'try') => void
  readonly onModel: (model: ModelDraft) => void
}

/** The model, and the variables with what they render to. */
function Side({ slug, texts, model, side, variables, problems, onSide, onModel }: SideProps) {
  return (
    <aside
      aria-label="Model and variables"
      className="flex w-104 shrink-0 flex-col border-line max-lg:w-full max-lg:border-t lg:border-l"
    >
      <Tabs
        label="Model and variables"
        value={side}
        onChange={onSide}
        tabs={[
          { value: 'model', label: 'Model' },
          { value: 'try', label: `Variables and preview (${variables.length})` },
        ]}
      >
        <div className="h-full p-4 lg:overflow-y-auto">
          <div hidden={side !== 'model'}>
            <ModelForm draft={model} problems={problems} onChange={onModel} />
          </div>
          <div hidden={side !== 'try'}>
            <TryPanel slug={slug} texts={texts} isNarrow />
          </div>
        </div>
      </Tabs>
    </aside>
  )
}
