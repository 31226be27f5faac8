/** An editor for prompts and JSON. CodeMirror is a separate chunk: a skeleton is shown until it has loaded. */
import { lazy, Suspense } from 'react'
import { Skeleton } from '../skeleton.tsx'
import type { CodeMirrorProps } from './code-mirror.tsx'

const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))

export function CodeEditor(props: CodeMirrorProps) {
  return (
    <Suspense
      fallback={
        <div aria-busy>
          <Skeleton className="h-32 w-full" />
        </div>
      }
    >
      <CodeMirror {...props} />
    </Suspense>
  )
}
