/** Writes a new version: texts as Jinja, the model, variables found as one types, and what it renders to. */
import type { PromptVersion } from '@plumbline/sdk'
import { Link, useBlocker } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useRead } from '../app/api.ts'
import { Screen } from '../app/screen.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lateDialog } from '../ui/late-dialog.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useToasts } from '../ui/toast.tsx'
import { type ModelDraft, readDraft, toDraft } from './model-draft.ts'
import { ModelForm } from './model-form.tsx'
import { editPromptRoute } from './routes.ts'
import type { DraftVersion } from './save-version-dialog.tsx'
import { TemplateFields } from './template-fields.tsx'
import { TryPanel } from './try-panel.tsx'
import { useVariables } from './use-variables.ts'
import { saysTheSame } from './version-diff.tsx'

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

interface EditorProps {
  readonly slug: string
  readonly base: PromptVersion | undefined
}

function Editor({ slug, base }: EditorProps) {
  const navigate = editPromptRoute.useNavigate()
  const toasts = useToasts()
  const [texts, setTexts] = useState({ text: base?.text ?? '', systemText: base?.systemText ?? '' })
  const [model, setModel] = useState<ModelDraft>(() => toDraft(base?.model))
  const [side, setSide] = useState<'model' | 'try'>('model')
  const [isSaving, setSaving] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const variables = useVariables(texts)
  const read = useMemo(() => readDraft(model), [model])
  const draft: DraftVersion = { ...texts, model: read.model }
  const isChanged = !saysTheSame(base ?? { text: '', systemText: '', model: {} }, draft)
  const hasProblem = Object.keys(read.problems).length > 0
  const maySave = isChanged && !hasProblem && (texts.text !== '' || texts.systemText !== '')
  const leave = useBlocker({
    shouldBlockFn: () => isChanged && !isSaved,
    enableBeforeUnload: () => isChanged && !isSaved,
    withResolver: true,
  })
  useShortcuts([
    { keys: 'mod+s', label: 'Save as a new version', onPress: () => maySave && setSaving(true) },
    { keys: 'mod+enter', label: 'Try it', onPress: () => setSide('try') },
  ])
  const saved = ({ version }: PromptVersion): void => {
    setSaved(true)
    setSaving(false)
    toasts.done(`Saved ${version}`, { description: 'Publish it to make it available to applications.' })
    void navigate({ to: '/prompts/$slug', params: { slug }, search: { version }, ignoreBlocker: true })
  }
  return (
    <Screen
      title={`New version of ${slug}`}
      heading={
        <span className="flex min-w-0 items-center gap-2">
          <Link to="/prompts/$slug" params={{ slug }} className="truncate text-ink-2 hover:underline">
            {slug}
          </Link>
          <span className="text-ink-3">/</span>
          <span className="truncate">
            {base === undefined ? 'First version' : `New version from ${base.version}`}
          </span>
        </span>
      }
      actions={
        <>
          <Button onClick={() => void navigate({ to: '/prompts/$slug', params: { slug } })}>Cancel</Button>
          <Button look="primary" disabled={!maySave} onClick={() => setSaving(true)}>
            Review and save
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
          <TemplateFields
            texts={texts}
            onChange={(changed) => setTexts((before) => ({ ...before, ...changed }))}
            variables={variables}
          />
        </div>
        <aside
          aria-label="Model and variables"
          className="flex w-104 shrink-0 flex-col border-line max-lg:w-full max-lg:border-t lg:border-l"
        >
          <Tabs
            label="Model and variables"
            value={side}
            onChange={setSide}
            tabs={[
              { value: 'model', label: 'Model' },
              { value: 'try', label: `Variables and preview (${variables.length})` },
            ]}
          >
            <div className="h-full p-4 lg:overflow-y-auto">
              <div hidden={side !== 'model'}>
                <ModelForm draft={model} problems={read.problems} onChange={setModel} />
              </div>
              <div hidden={side !== 'try'}>
                <TryPanel slug={slug} texts={texts} isNarrow />
              </div>
            </div>
          </Tabs>
        </aside>
      </div>
      <SaveVersionDialog
        isOpen={isSaving}
        slug={slug}
        base={base}
        draft={draft}
        onSaved={saved}
        onClose={() => setSaving(false)}
      />
      <ConfirmDialog
        isOpen={leave.status === 'blocked'}
        onClose={() => leave.reset?.()}
        title="Discard the draft?"
        action="Leave"
        onConfirm={() => leave.proceed?.()}
      >
        Your changes are not saved as a version and will be lost.
      </ConfirmDialog>
    </Screen>
  )
}
