import type { PromptSummary } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { FlaskConical, Plus, Rocket, Scale } from 'lucide-react'
import { Button, buttonClass } from '../ui/button.tsx'
import { PromptMenu } from './prompt-menu.tsx'

interface PromptActionsProps {
  readonly slug: string
  /** Undefined while loading. */
  readonly prompt: PromptSummary | undefined
  /** The selected version; undefined if there is none. */
  readonly version: string | undefined
  readonly onPublish: () => void
  readonly onWrite: () => void
}

/** The buttons of the prompt screen, for editors. */
export function PromptActions({ slug, prompt, version, onPublish, onWrite }: PromptActionsProps) {
  return (
    <>
      {version !== undefined && (
        <>
          <Link to="/playground" search={{ prompt: slug, version }} className={buttonClass()}>
            <FlaskConical aria-hidden size={14} />
            <span className="max-lg:sr-only">Playground</span>
          </Link>
          <Link to="/experiments/run" search={{ prompt: slug, version }} className={buttonClass()}>
            <Scale aria-hidden size={14} />
            <span className="max-lg:sr-only">Run experiment</span>
          </Link>
          <Button icon={<Rocket aria-hidden size={14} />} onClick={onPublish}>
            Publish…
          </Button>
        </>
      )}
      <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={onWrite}>
        <span>
          New<span className="max-md:sr-only"> version</span>
        </span>
      </Button>
      {prompt !== undefined && <PromptMenu prompt={prompt} />}
    </>
  )
}
