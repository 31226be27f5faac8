/** The masking rules in the order in which they apply. */
import type { DraftRule, RehearsedRule } from './draft-rule.ts'
import { RuleCard } from './rule-card.tsx'

interface RuleListProps {
  readonly rules: readonly DraftRule[]
  readonly isEditable: boolean
  readonly problem: { readonly index: number; readonly field: string; readonly problem: string } | undefined
  readonly rehearsals: readonly RehearsedRule[] | undefined
  readonly onChange: (rules: readonly DraftRule[]) => void
}

export function RuleList({ rules, isEditable, problem, rehearsals, onChange }: RuleListProps) {
  return (
    <ol aria-label="Masking rules" className="flex flex-col gap-3">
      {rules.map((rule, index) => (
        <RuleCard
          key={rule.key}
          rule={rule}
          number={index + 1}
          isLast={index === rules.length - 1}
          isEditable={isEditable}
          problem={problem?.index === index ? problem : undefined}
          rehearsal={rehearsals?.[index]}
          onChange={(fields) =>
            onChange(rules.map((each) => (each === rule ? { ...each, ...fields } : each)))
          }
          onMove={(offset) => onChange(moveRule(rules, index, offset))}
          onDelete={() => onChange(rules.filter((each) => each !== rule))}
        />
      ))}
    </ol>
  )
}

function moveRule(rules: readonly DraftRule[], index: number, offset: -1 | 1): readonly DraftRule[] {
  const next = [...rules]
  const [rule] = next.splice(index, 1)
  next.splice(index + offset, 0, rule!)
  return next
}
