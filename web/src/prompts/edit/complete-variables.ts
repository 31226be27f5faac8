/** Completion of variables inside the tags of a template. */
import type { CompletionSource } from '@codemirror/autocomplete'
import type { TemplateVariable } from '@plumbline/sdk/render'
import { useRef } from 'react'

const blocks = ['if', 'endif', 'else', 'elif', 'for', 'endfor', 'set'] as const

/** A stable function while the variables change: a new one would recreate the editor. */
export function useCompletion(variables: readonly TemplateVariable[]): CompletionSource {
  const latest = useRef(variables)
  latest.current = variables
  const source = useRef<CompletionSource>((context) => {
    const tag = context.matchBefore(/\{[{%][^}%]*/)
    if (tag === null) return null
    const word = context.matchBefore(/[\w.]*/)
    if (word === null || (word.from === word.to && !context.explicit)) return null
    return {
      from: word.from,
      options: [
        ...latest.current.map(({ label, type }) => ({ label, detail: type, type: 'variable' })),
        ...(tag.text.startsWith('{%') ? blocks.map((label) => ({ label, type: 'keyword' })) : []),
      ],
    }
  })
  return source.current
}
