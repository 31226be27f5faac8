/** Writes a new version: texts as Jinja, the model, the variables of the text, and the rendered result. */
import type { PromptVersion } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { readDraft as readStoredDraft, useDraft } from '../../ui/storage/draft.ts'
import { RestoredNote } from '../../ui/storage/restored-note.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { editPromptRoute } from '../routes.ts'
import { useVersion } from '../versions/use-version.ts'
import { hasSameText } from '../versions/version-diff.tsx'
import { MissingParts, NewerNote, TypedElsewhereNote } from './draft-notes.tsx'
import { type ModelDraft, readDraft, toDraft } from './model-draft.ts'
import { ModelForm } from './model-form.tsx'
import { isComplete, type Texts } from './prompt-messages.ts'
import type { DraftVersion } from './save-version-dialog.tsx'
import { FormSwitch, TemplateFields } from './template-fields.tsx'
import { TryPanel } from './try-panel.tsx'
import { useMissingParts } from './use-parts.ts'
import { useVariables } from './use-variables.ts'

const SaveVersionDialog = lateDialog(
  async () => (await import('./save-version-dialog.tsx')).SaveVersionDialog,
)

export function EditScreen() {
  const { slug } = editPromptRoute.useParams()
  const { from } = editPromptRoute.useSearch()
  const { session, ownPlace, may } = useSession()
  // Its name is that of the person and of the workspace.
  if (session === undefined) return <Waiting error={null} />
  if (!may('editor'))
    return (
      <Screen title="New version">
        <EmptyState title="You can view prompts but not edit them">
          Ask an admin for the editor role.
        </EmptyState>
      </Screen>
    )
  const draftName = `prompt.${ownPlace}/${slug}`
  return <EditorOfDraft key={`${draftName} ${from}`} {...{ slug, from, draftName }} />
}

interface EditorOfDraftProps {
  readonly slug: string
  readonly from: string | undefined
  readonly draftName: string
}

const refreshMs = 30_000

/** Reads the base of the draft: the version in the URL, else the newest; a stored draft keeps its own base. */
function EditorOfDraft({ slug, from, draftName }: EditorOfDraftProps) {
  const newest = useRead('versions.list', { slug, limit: 1 }, { refreshMs })
  const [baseName] = useState(() => readStoredDraft(draftName, isContent)?.base)
  const startRead = useVersion(slug, from)
  const baseRead = useVersion(slug, baseName || undefined)
  const newestVersion = newest.data?.versions[0]
  const isRead =
    newest.data !== undefined &&
    (from === undefined || startRead.version !== undefined) &&
    (!baseName || baseRead.version !== undefined || baseRead.error !== null)
  if (!isRead) return <Waiting error={newest.error ?? startRead.error} />
  return (
    <Editor
      {...{ slug, draftName }}
      start={from === undefined ? newestVersion : startRead.version}
      draftBase={baseRead.version}
      newest={newestVersion}
    />
  )
}

const Waiting = ({ error }: { readonly error: Error | null }) => (
  <Screen title="New version">
    {error === null ? <Skeleton className="m-4 h-64" /> : <ErrorState error={error} />}
  </Screen>
)

interface Content {
  /** The name of the base version; empty for a first version. */
  readonly base: string
  readonly texts: Texts
  readonly model: ModelDraft
}

const contentOf = (base: PromptVersion | undefined): Content => ({
  base: base?.version ?? '',
  texts:
    base?.messages === undefined
      ? { text: base?.text ?? '', systemText: base?.systemText ?? '' }
      : { text: '', systemText: '', messages: base.messages },
  model: toDraft(base?.model),
})

/** Whether a stored draft has the current format. */
const isContent = (value: unknown): value is Content => {
  const { base, texts, model } = (value ?? {}) as {
    readonly [Field in keyof Content]?: Field extends 'base' ? unknown : Readonly<Record<string, unknown>>
  }
  const hasTexts =
    typeof texts?.text === 'string' &&
    typeof texts.systemText === 'string' &&
    (texts.messages === undefined || Array.isArray(texts.messages))
  return (
    typeof base === 'string' &&
    hasTexts &&
    Object.keys(toDraft(undefined)).every((name) => typeof model?.[name] === 'string')
  )
}

interface EditorProps {
  readonly slug: string
  readonly draftName: string
  /** The version that a new draft starts from; undefined for the first one. */
  readonly start: PromptVersion | undefined
  /** The version that the stored draft started from. */
  readonly draftBase: PromptVersion | undefined
  readonly newest: PromptVersion | undefined
}

function Editor({ slug, draftName, newest, ...props }: EditorProps) {
  const navigate = editPromptRoute.useNavigate()
  const toasts = useToasts()
  // A version saved meanwhile does not change the draft.
  const [{ start, draftBase, newestBefore }] = useState({ ...props, newestBefore: newest?.version })
  const initial = useMemo(() => contentOf(start), [start])
  const storedDraft = useDraft(draftName, initial, isContent)
  const { texts, model } = storedDraft.value
  const base = storedDraft.value.base === initial.base ? start : (draftBase ?? start)
  const change = (patch: Partial<Content>): void => storedDraft.change({ ...storedDraft.value, ...patch })
  const [side, setSide] = useState<'model' | 'try'>('model')
  const [isSaving, setSaving] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const variables = useVariables(texts)
  const missingParts = useMissingParts(texts)
  const read = useMemo(() => readDraft(model), [model])
  const draft: DraftVersion = { ...texts, model: read.model, config: base?.config }
  const isChanged = !hasSameText(base ?? { text: '', systemText: '', model: {} }, draft)
  const isOutdated = newest?.version !== base?.version && (newest?.version !== newestBefore || base !== start)
  const hasProblem = Object.keys(read.problems).length > 0
  const missing = !isComplete(texts)
    ? 'Write the text first.'
    : isChanged
      ? undefined
      : 'Nothing has changed.'
  const review = (): void => {
    if (missing !== undefined) return
    // The model fields show the problem, and may be hidden.
    if (hasProblem) setSide('model')
    else setSaving(true)
  }
  const leave = (): void => void navigate({ to: '/prompts/$slug', params: { slug } })
  const discard = (): void => {
    storedDraft.discard()
    leave()
  }
  useShortcuts([
    { keys: 'mod+s', label: 'Save as a new version', onPress: review },
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
      heading={<Heading {...{ slug, base, newest }} />}
      actions={
        <>
          <Button onClick={() => (isChanged ? setAsking(true) : leave())}>Cancel</Button>
          <Button look="primary" disabled={missing !== undefined} title={missing} onClick={review}>
            Review and save
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
          {storedDraft.isRestored && isChanged && <RestoredNote onDiscard={storedDraft.discard} />}
          {storedDraft.isTypedElsewhere && <TypedElsewhereNote />}
          {isOutdated && newest !== undefined && <NewerNote slug={slug} newest={newest} />}
          <MissingParts names={missingParts} />
          <div className="flex">
            <FormSwitch texts={texts} onChange={(next) => change({ texts: next })} />
          </div>
          <TemplateFields
            texts={texts}
            onChange={(patch) => change({ texts: { ...texts, ...patch } })}
            variables={variables}
          />
        </div>
        <Side
          {...{ slug, texts, model, side, variables }}
          problems={read.problems}
          onSide={setSide}
          onModel={(next) => change({ model: next })}
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

const Heading = ({
  slug,
  base,
  newest,
}: Pick<EditorProps, 'slug' | 'newest'> & { readonly base: PromptVersion | undefined }) => (
  <span className="flex min-w-0 items-center gap-2">
    <Link to="/prompts/$slug" params={{ slug }} className="truncate text-ink-2 hover:underline">
      {slug}
    </Link>
    <span className="text-ink-3">/</span>
    <span className="truncate">
      {base !== undefined
        ? `New version from ${base.version}`
        : newest === undefined
          ? 'First version'
          : 'New version'}
    </span>
  </span>
)

interface SideProps extends Omit<Content, 'base'> {
  readonly slug: string
  readonly side: 'model' | 'try'
  readonly variables: ReturnType<typeof useVariables>
  readonly problems: ReturnType<typeof readDraft>['problems']
  readonly onSide: (side: 'model' | 'try') => void
  readonly onModel: (model: ModelDraft) => void
}

/** The model, and the variables with the rendered preview. */
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
