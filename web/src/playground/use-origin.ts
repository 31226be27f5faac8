import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { readDraft, toDraft } from '../prompts/edit/model-draft.ts'
import { useVersion } from '../prompts/versions/use-version.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { replayOf, textsOfMessages } from './replay.ts'

export interface Origin {
  /** The key of the draft: the same origin continues the same draft. */
  readonly key: string
  /** Undefined while it is read. */
  readonly draft: Draft | undefined
  readonly error: Error | null
  /** The prompt, if there is one. */
  readonly prompt: string | undefined
}

interface OriginSearch {
  readonly prompt?: string
  readonly version?: string
  readonly trace?: string
  readonly log?: string
}

/** The start of the playground: a call of a trace, a version of a prompt, or nothing. */
export function useOrigin({ prompt, version, trace, log }: OriginSearch): Origin {
  const { ownPlace } = useSession()
  const { call, isGone, error } = useCall(trace, log)
  const slug = prompt ?? call?.prompt?.slug
  const promptVersion = trace === undefined ? version : (call?.promptVersion ?? undefined)
  const isNewest = slug !== undefined && promptVersion === undefined && trace === undefined
  const newest = useRead('versions.list', { slug: slug ?? '', limit: 1 }, { enabled: isNewest })
  const versionRead = useVersion(slug, promptVersion)
  const base = isNewest
    ? newest.isPlaceholderData
      ? undefined
      : newest.data?.versions[0]
    : versionRead.version
  // If the version or the prompt was deleted, the values of the log are replayed.
  const isRead = isNewest
    ? newest.data !== undefined && !newest.isPlaceholderData
    : slug === undefined ||
      promptVersion === undefined ||
      versionRead.version !== undefined ||
      versionRead.error !== null
  const draft = useMemo<Draft | undefined>(() => {
    if (trace !== undefined) {
      if (call === undefined || !isRead) return undefined
      const replay = replayOf(call, base && readDraft(toDraft(base.model)).model)
      const texts = textsOfMessages(replay.messages)
      const model = toDraft({ ...base?.model, model: replay.model, parameters: replay.parameters })
      return { ...emptyDraft, model, ...(texts ?? { messages: replay.messages }) }
    }
    if (slug === undefined) return emptyDraft
    if (!isRead) return undefined
    // An unreadable origin is an error; only a prompt without a version starts as an empty draft.
    if (base === undefined) return isNewest ? emptyDraft : undefined
    const model = toDraft(base.model)
    if (base.messages !== undefined) return { ...emptyDraft, promptMessages: base.messages, model }
    return { ...emptyDraft, text: base.text, systemText: base.systemText, model }
  }, [trace, call, isRead, isNewest, base, slug])
  return {
    key: [ownPlace, trace, log, prompt, version].map((part) => part ?? '').join('/'),
    draft,
    error:
      error ??
      (isNewest ? newest.error : null) ??
      (trace === undefined ? versionRead.error : null) ??
      (isGone ? new Error('This trace does not contain that model call.') : null),
    prompt: slug,
  }
}

/** A log of a possibly large trace; its first generation if no log is given. */
function useCall(trace: string | undefined, log: string | undefined) {
  const isNamed = trace !== undefined && log !== undefined
  const logQuery = useRead('logs.get', { id: trace ?? '', logId: log ?? '' }, { enabled: isNamed })
  const whole = useRead('traces.get', { id: trace ?? '' }, { enabled: trace !== undefined && !isNamed })
  // While the next log loads, the response still belongs to the previous one.
  if (isNamed)
    return {
      call: logQuery.isPlaceholderData ? undefined : logQuery.data?.log,
      isGone: false,
      error: logQuery.error,
    }
  const call = whole.data?.trace.logs.find(({ type }) => type === 'generation')
  return { call, isGone: whole.data !== undefined && call === undefined, error: whole.error }
}
