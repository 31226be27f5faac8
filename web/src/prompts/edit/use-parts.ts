import { RequestFailed } from '@plumbline/sdk'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, useClient } from '../../app/api.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { type Texts, templatesOf } from './prompt-messages.ts'
import { useTemplateLibrary } from './use-template-library.ts'

interface Part {
  readonly slug: string
  readonly selector: string | undefined
}

const keyOf = ({ slug, selector = '' }: Part): string => `${slug}@${selector}`
/** Between texts that are compared as one. */
const separator = '\u0000'

/** The templates with shared parts inserted, as the service serves them; missing parts are empty. */
export function useWithParts(source: Texts): Texts {
  const client = useClient()
  const library = useTemplateLibrary()
  const { text, systemText, messages } = source
  const parts = useParts(source)
  const joinedTexts = useQueries({
    queries: parts.map((part) => partQuery(client, part)),
    combine: (results) => results.map(({ data }) => data ?? '').join(separator),
  })
  return useMemo(() => {
    if (library === undefined || parts.length === 0) return { text, systemText, messages }
    const partTexts = joinedTexts.split(separator)
    const textByKey = new Map(parts.map((part, index) => [keyOf(part), partTexts[index] ?? '']))
    const expand = (template: string): string =>
      library.replaceParts(template, (part) => textByKey.get(keyOf(part)) ?? '')
    return {
      text: expand(text),
      systemText: expand(systemText),
      messages: messages?.map((message) =>
        message.content === undefined ? message : { ...message, content: expand(message.content) },
      ),
    }
  }, [library, parts, joinedTexts, text, systemText, messages])
}

/** The distinct shared parts that the templates include. */
function useParts({ text, systemText, messages }: Texts): readonly Part[] {
  const library = useTemplateLibrary()
  return useMemo(() => {
    const references =
      library === undefined ? [] : templatesOf({ text, systemText, messages }).flatMap(library.partsIn)
    return [...new Map(references.map((part) => [keyOf(part), part])).values()]
  }, [library, text, systemText, messages])
}

/** The parts that do not exist, which the service omits. */
export function useMissingParts(texts: Texts): readonly string[] {
  const client = useClient()
  const parts = useParts(useSettled(texts))
  return useQueries({
    queries: parts.map((part) => partQuery(client, part)),
    combine: (results) =>
      results.flatMap(({ error }, index) =>
        error instanceof RequestFailed && error.status === 404 ? (parts[index]?.slug ?? []) : [],
      ),
  })
}

const partQuery = (client: ReturnType<typeof useClient>, part: Part) => ({
  queryKey: ['prompts.get', 'part', keyOf(part)],
  queryFn: () => readPart(client, part),
  retry: false,
})

/**
 * A selector is a version or a tag; `production` is only the tag. A fallback to production would return a different
 * text.
 */
async function readPart(client: ReturnType<typeof useClient>, { slug, selector }: Part): Promise<string> {
  if (selector === undefined || selector === 'production')
    return (await call(client, 'prompts.get', { slug })).prompt.text
  const response = await call(client, 'prompts.get', { slug, version: selector })
  if (response.prompt.version === selector) return response.prompt.text
  const tagged = await call(client, 'prompts.get', { slug, tag: selector })
  return tagged.prompt.tag === selector ? tagged.prompt.text : ''
}
