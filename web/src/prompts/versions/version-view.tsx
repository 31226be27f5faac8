import type { PromptVersion } from '@plumbline/sdk'
import { lazy, Suspense } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import { ExactTime } from '../../ui/text/values.tsx'
import { toolNames } from '../edit/model-draft.ts'
import { useVariables } from '../edit/use-variables.ts'

const JsonTree = lazy(async () => ({ default: (await import('../../ui/text/json-tree.tsx')).JsonTree }))

/** One version: its texts, model and variables. */
export function VersionView({ version }: { readonly version: PromptVersion }) {
  const variables = useVariables(version)
  const { text, systemText, messages, config, message, createdAt, createdByName } = version
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_288px] items-start gap-6 p-4 max-xl:grid-cols-1">
      <div className="flex min-w-0 flex-col gap-4">
        {messages === undefined ? (
          <>
            {systemText !== '' && <TemplateText title="System text" text={systemText} />}
            <TemplateText title="Text" text={text} />
          </>
        ) : (
          messages.map(({ role = '', content = '', placeholder }, position) => {
            const title = `${position + 1}. ${placeholder === undefined ? role : `messages of ${placeholder}`}`
            return placeholder === undefined ? (
              <TemplateText key={title} title={title} text={content} />
            ) : (
              <section
                key={title}
                aria-label={title}
                className="rounded border border-dashed border-line p-3"
              >
                <h2 className="text-sm font-semibold">{title}</h2>
                <p className="text-sm text-ink-2">The application inserts messages here.</p>
              </section>
            )
          })
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <section aria-label="About this version" className="flex flex-col gap-1 text-sm">
          {message !== undefined && (
            <p dir="auto" className="break-words">
              {message}
            </p>
          )}
          <p className="text-ink-2">
            <ExactTime time={createdAt} />
            {createdByName !== undefined && <> by {createdByName}</>}
          </p>
        </section>
        <ModelFacts version={version} />
        {config !== undefined && (
          <section aria-label="Application settings" className="flex flex-col gap-2">
            <h2 className="text-sm font-semibold">Application settings</h2>
            <Suspense>
              <JsonTree label="Settings" value={config} openDepth={1} hasSearch={false} />
            </Suspense>
          </section>
        )}
        <section aria-label="Variables" className="flex flex-col gap-2">
          <h2 className="text-sm font-semibold">Variables</h2>
          {variables.length === 0 ? (
            <p className="text-sm text-ink-3">No variables.</p>
          ) : (
            <ul className="flex flex-wrap gap-1">
              {variables.map(({ label, type }) => (
                <li key={label} className="max-w-full">
                  <Badge title={`${label}: ${type}`}>
                    <code className="truncate font-mono">{label}</code>
                    {type !== 'string' && <span className="text-ink-3">{type}</span>}
                  </Badge>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  )
}

const TemplateText = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <section aria-label={title} className="flex min-w-0 flex-col gap-1">
    <div className="flex items-center">
      <h2 className="flex-1 text-sm font-semibold">{title}</h2>
      <CopyButton text={text} label={`Copy the ${title.toLowerCase()}`} />
    </div>
    {text === '' ? (
      <p className="text-sm text-ink-3">Empty</p>
    ) : (
      <CodeEditor label={title} language="jinja" value={text} minHeightPx={40} maxHeightPx={900} />
    )}
  </section>
)

const parameterNames = {
  temperature: 'Temperature',
  topP: 'Top P',
  maxLength: 'Maximum output tokens',
  responseFormat: 'Response format',
  topK: 'Top K',
  frequencyPenalty: 'Frequency penalty',
  presencePenalty: 'Presence penalty',
  reasoningEffort: 'Reasoning effort',
  verbosity: 'Verbosity',
} as const

function ModelFacts({ version: { model } }: { readonly version: PromptVersion }) {
  const { parameters } = model
  const tools = toolNames(parameters.tools)
  const rows = [
    ['Provider', model.provider],
    ['Model', [model.model, model.version].filter((part) => part !== '').join(' ')],
    ['Client', model.client],
    ...Object.entries(parameterNames).map(([name, label]) => [
      label,
      String(parameters[name as keyof typeof parameterNames] ?? ''),
    ]),
    ['Tools', tools.join(', ')],
  ].filter(([, value]) => value !== '')
  return (
    <section aria-label="Model" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Model</h2>
      <dl className="text-sm">
        {rows.map(([label, value]) => (
          <div key={label} className="flex min-h-7 items-center gap-3 border-b border-line last:border-0">
            <dt className="shrink-0 text-ink-2">{label}</dt>
            <dd className="numbers ml-auto min-w-0 truncate text-right" title={value}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {parameters.jsonObject !== undefined && (
        <Suspense>
          <JsonTree label="JSON schema" value={parameters.jsonObject} openDepth={1} hasSearch={false} />
        </Suspense>
      )}
    </section>
  )
}
