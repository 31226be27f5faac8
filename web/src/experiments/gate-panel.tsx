/** Whether a candidate may replace the baseline, by the rules in the address. */
import {
  type GateVerdict,
  gateMarkdown,
  judgeGate,
  RuleUnreadable,
  readRules,
  type Verdict,
} from '@plumbline/sdk/gate'
import { CircleCheck, CircleHelp, CircleX, Pencil } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field, Textarea } from '../ui/form/field.tsx'
import { FormActions } from '../ui/form/form-actions.tsx'
import { Select } from '../ui/form/select.tsx'
import { PanelHeader } from '../ui/panel-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CopyBox } from '../ui/text/copy-box.tsx'
import type { Comparison } from './case-columns.tsx'
import { isScore } from './measures.ts'

interface GatePanelProps {
  readonly comparison: Comparison
  /** The rules, separated by semicolons; undefined for the proposed ones. */
  readonly rules: string | undefined
  readonly candidate: string | undefined
  readonly lower: string | undefined
  readonly onChange: (change: { readonly rules?: string; readonly candidate?: string }) => void
  readonly onClose: () => void
}

const looks: Readonly<Record<Verdict, { icon: typeof CircleCheck; tint: string; words: string }>> = {
  pass: { icon: CircleCheck, tint: 'text-good', words: 'The gate passes' },
  fail: { icon: CircleX, tint: 'text-bad', words: 'The gate fails' },
  inconclusive: { icon: CircleHelp, tint: 'text-warn', words: 'The gate is undecided' },
}

export function GatePanel({ comparison, rules, candidate, lower, onChange, onClose }: GatePanelProps) {
  const { experiments, baselineId } = comparison
  const others = experiments.filter(({ id }) => id !== baselineId)
  const candidateId = others.find(({ id }) => id === candidate)?.id ?? others.at(-1)?.id ?? ''
  // Regressions count over all compared experiments, so the gate compares its candidate alone.
  const answer = useRead(
    'experiments.compare',
    {
      ids: `${baselineId},${candidateId}`,
      baseline: baselineId,
      limit: 1,
      ...(lower !== undefined && { lowerIsBetter: lower }),
    },
    { enabled: candidateId !== '' },
  )
  const lines = useMemo(() => rules?.split(';') ?? proposedRules(comparison), [rules, comparison])
  const [isEditing, setEditing] = useState(false)
  const gateVerdict = useMemo(
    () => (answer.data === undefined ? undefined : judge(answer.data, candidateId, lines)),
    [answer.data, candidateId, lines],
  )
  return (
    <>
      <PanelHeader title="Gate" onClose={onClose} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        {others.length > 1 && (
          <Select
            label="Candidate"
            icon={<span className="text-ink-3">Candidate</span>}
            choices={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={candidateId}
            onChange={(next) => onChange({ candidate: next })}
          />
        )}
        {gateVerdict === undefined ? (
          <Skeleton className="h-24 w-full" />
        ) : typeof gateVerdict === 'string' ? (
          <p role="alert" className="text-sm text-bad">
            {gateVerdict}
          </p>
        ) : (
          <VerdictList gateVerdict={gateVerdict} />
        )}
        {isEditing ? (
          <RuleForm
            lines={lines}
            onCancel={() => setEditing(false)}
            onDone={(next) => {
              onChange({ rules: next.join(';') })
              setEditing(false)
            }}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button size="small" icon={<Pencil aria-hidden size={14} />} onClick={() => setEditing(true)}>
              Edit rules
            </Button>
            {answer.data !== undefined && gateVerdict !== undefined && typeof gateVerdict !== 'string' && (
              <CopyButton
                text={gateMarkdown(answer.data, candidateId, gateVerdict, globalThis.location.href)}
                label="Copy as Markdown"
              />
            )}
          </div>
        )}
        <section aria-label="In CI" className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-ink-3">In CI</h3>
          <CopyBox text={commandOf(baselineId, candidateId, lines)} label="Copy command" isCommand />
        </section>
      </div>
    </>
  )
}

function judge(comparison: Comparison, candidateId: string, lines: readonly string[]): GateVerdict | string {
  try {
    return judgeGate(comparison, candidateId, readRules(lines))
  } catch (error) {
    if (error instanceof RuleUnreadable) return error.message
    throw error
  }
}

function VerdictList({ gateVerdict: { verdict, rules } }: { readonly gateVerdict: GateVerdict }) {
  const { icon: Icon, tint, words } = looks[verdict]
  return (
    <section aria-label="Verdict" className="flex flex-col gap-3">
      <p role="status" className={`flex items-center gap-2 text-lg font-semibold ${tint}`}>
        <Icon aria-hidden size={16} />
        {words}
      </p>
      <ul className="flex flex-col gap-2">
        {rules.map(({ rule, verdict: ruleVerdict, reason }) => {
          const { icon: Mark, tint: tintOf } = looks[ruleVerdict]
          return (
            <li key={rule} className="flex gap-2 text-sm">
              <Mark aria-label={ruleVerdict} size={14} className={`mt-0.5 shrink-0 ${tintOf}`} />
              <span className="min-w-0">
                <code className="font-mono text-xs break-words">{rule}</code>
                <span className="block text-xs break-words text-ink-2">{reason}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface RuleFormProps {
  readonly lines: readonly string[]
  readonly onDone: (lines: readonly string[]) => void
  readonly onCancel: () => void
}

function RuleForm({ lines, onDone, onCancel }: RuleFormProps) {
  const [text, setText] = useState(lines.join('\n'))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    try {
      onDone(readRules(text.split('\n')).map((rule) => rule.text))
    } catch (error) {
      if (!(error instanceof RuleUnreadable)) throw error
      setProblem(error.message)
    }
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label="Rules"
        problem={problem}
        hint="One per line: score.accuracy >= 0.8, delta(score.accuracy) >= -0.02, cost <= +10%, p < 0.05, regressions <= 3, missing <= 0, failing <= 0."
      >
        <Textarea
          value={text}
          rows={5}
          spellCheck={false}
          autoFocus
          className="font-mono"
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </Field>
      <FormActions action="Check" onCancel={onCancel} isBusy={false} />
    </form>
  )
}

/** No score may be worse beyond chance, and nothing may cost much more. */
const proposedRules = ({ measures }: Comparison): readonly string[] => [
  ...(measures.some(({ name }) => isScore(name)) ? ['p < 0.05'] : []),
  'cost <= +10%',
]

const commandOf = (baseline: string, candidate: string, lines: readonly string[]): string =>
  [
    'plumbline experiments gate --wait',
    `  --baseline ${baseline}`,
    `  --candidate ${candidate}`,
    ...lines.map((line) => `  --rule "${line.trim().replaceAll(/["$`\\]/g, '\\$&')}"`),
    '  --markdown "$GITHUB_STEP_SUMMARY"',
  ].join(' \\\n')
