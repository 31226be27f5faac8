import { useCommands } from '../app/palette/commands.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { type View, views } from './routes.ts'
import { viewLabels } from './versions/version-tabs.tsx'

interface PromptKeysOptions {
  readonly mayChange: boolean
  /** The selected version; undefined if there is none. */
  readonly version: string | undefined
  /** Selects an older or a newer version. */
  readonly onStep: (step: 1 | -1) => void
  readonly onView: (view: View) => void
  readonly onWrite: () => void
  readonly onPublish: () => void
}

/** The shortcuts and commands of the prompt screen. */
export function usePromptKeys(options: PromptKeysOptions): void {
  const { mayChange, version, onStep, onView, onWrite, onPublish } = options
  useShortcuts([
    { keys: 'j', label: 'Older version', onPress: () => onStep(1) },
    { keys: 'k', label: 'Newer version', onPress: () => onStep(-1) },
    ...views.map((view, index) => ({
      keys: String(index + 1),
      label: viewLabels[view],
      onPress: () => onView(view),
    })),
    ...(mayChange
      ? [
          { keys: 'e', label: 'New version from this one', onPress: onWrite },
          { keys: 'p', label: 'Publish this version', onPress: onPublish },
        ]
      : []),
  ])
  useCommands(
    mayChange
      ? [
          { label: 'New version', words: 'edit write', keys: 'e', run: onWrite },
          ...(version === undefined ? [] : [{ label: `Publish ${version}`, keys: 'p', run: onPublish }]),
        ]
      : [],
  )
}
