/** One masking rule: its match, action and scope, and its rehearsal result. */
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { CheckBox, Switch } from '../../ui/form/checkbox.tsx'
import { Field, Group, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import {
  type DraftRule,
  detectorLabels,
  fieldLabels,
  type Field as MaskedField,
  type RehearsedRule,
} from './draft-rule.ts'
import { RuleHits } from './rule-hits.tsx'

interface RuleCardProps {
  readonly rule: DraftRule
  readonly number: number
  readonly isLast: boolean
  readonly isEditable: boolean
  readonly problem: { readonly field: string; readonly problem: string } | undefined
  readonly rehearsal: RehearsedRule | undefined
  readonly onChange: (change: Partial<DraftRule>) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onDelete: () => void
}

const types = [
  { value: 'detector', label: 'Detector', hint: 'E-mail addresses, card numbers and more' },
  { value: 'pattern', label: 'Pattern', hint: 'A regular expression' },
  { value: 'path', label: 'Path', hint: 'A path in the JSON of a field' },
] as const

const actions = [
  { value: 'mask', label: 'Mask', hint: 'Replaces the match with a fixed text' },
  { value: 'hash', label: 'Hash', hint: 'Replaces the match with a hash: equal values stay equal' },
  { value: 'drop', label: 'Drop', hint: 'Sets the whole value to null' },
] as const

const detectors = Object.entries(detectorLabels).map(([value, label]) => ({
  // Safe: these are the keys of the labels.
  value: value as DraftRule['detector'],
  label,
}))

export function RuleCard({
  rule,
  number,
  isLast,
  isEditable,
  problem,
  rehearsal,
  onChange,
  onMove,
  onDelete,
}: RuleCardProps) {
  const problemOf = (field: string) => (problem?.field === field ? problem.problem : undefined)
  const label = rule.name.trim() === '' ? `rule ${number}` : rule.name
  const isOwn = ['name', 'pattern', 'path', 'text'].includes(problem?.field ?? '')
  return (
    <li
      aria-label={`Rule ${number}: ${label}`}
      className="flex flex-col gap-3 rounded border border-line bg-surface p-3"
    >
      <RuleHead {...{ rule, number, label, isLast, isEditable, onChange, onMove, onDelete }} />
      <fieldset disabled={!isEditable} className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <legend className="sr-only">{label}</legend>
        <Field label="Name" problem={problemOf('name')}>
          <Input
            value={rule.name}
            maxLength={100}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        </Field>
        <Field label="Match by">
          <Select
            choices={types}
            value={rule.type}
            disabled={!isEditable}
            onChange={(type) => onChange({ type })}
          />
        </Field>
        <Sought rule={rule} isEditable={isEditable} problemOf={problemOf} onChange={onChange} />
        <Field label="Action">
          <Select
            choices={actions}
            value={rule.action}
            disabled={!isEditable}
            onChange={(action) => onChange({ action })}
          />
        </Field>
        {rule.action === 'mask' && (
          <Field label="Replacement" problem={problemOf('text')}>
            <Input
              value={rule.text}
              maxLength={100}
              placeholder={rule.type === 'detector' ? `[${rule.detector}]` : '[masked]'}
              onChange={(event) => onChange({ text: event.currentTarget.value })}
            />
          </Field>
        )}
        <Field label="Features" hint="Slugs, separated by commas. Leave empty for all traces.">
          <Input
            value={rule.features}
            spellCheck={false}
            className="font-mono"
            onChange={(event) => onChange({ features: event.currentTarget.value })}
          />
        </Field>
      </fieldset>
      <Fields rule={rule} isEditable={isEditable} onChange={onChange} />
      {problem !== undefined && !isOwn && (
        <p role="alert" className="text-xs text-bad">
          {problem.problem}
        </p>
      )}
      {rehearsal !== undefined && <RuleHits rehearsal={rehearsal} />}
    </li>
  )
}

/** Its number, its switch, and the buttons that move or delete it. */
function RuleHead({
  rule,
  number,
  label,
  isLast,
  isEditable,
  onChange,
  onMove,
  onDelete,
}: Omit<RuleCardProps, 'problem' | 'rehearsal'> & { readonly label: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="tabular-nums text-sm text-ink-3">{number}.</span>
      <Switch
        label={rule.isEnabled ? 'On' : 'Off'}
        isChecked={rule.isEnabled}
        disabled={!isEditable}
        onChange={(isEnabled) => onChange({ isEnabled })}
      />
      {isEditable && (
        <span className="ml-auto flex gap-1">
          <IconButton
            label={`Move ${label} up`}
            size="small"
            disabled={number === 1}
            onClick={() => onMove(-1)}
          >
            <ArrowUp aria-hidden size={14} />
          </IconButton>
          <IconButton label={`Move ${label} down`} size="small" disabled={isLast} onClick={() => onMove(1)}>
            <ArrowDown aria-hidden size={14} />
          </IconButton>
          <IconButton label={`Delete ${label}`} size="small" onClick={onDelete}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        </span>
      )}
    </div>
  )
}

type PartProps = Pick<RuleCardProps, 'rule' | 'isEditable' | 'onChange'>

function Sought({
  rule,
  isEditable,
  problemOf,
  onChange,
}: PartProps & { readonly problemOf: (field: string) => string | undefined }) {
  switch (rule.type) {
    case 'detector':
      return (
        <Field label="Detector">
          <Select
            choices={detectors}
            value={rule.detector}
            disabled={!isEditable}
            onChange={(detector) =>
              // A default name follows the detector.
              onChange({
                detector,
                ...(rule.name === detectorLabels[rule.detector] && { name: detectorLabels[detector] }),
              })
            }
          />
        </Field>
      )
    case 'pattern':
      return (
        <Field
          label="Regular expression"
          hint="RE2 syntax; (?i) at the start ignores case."
          problem={problemOf('pattern')}
        >
          <Input
            value={rule.pattern}
            spellCheck={false}
            className="font-mono"
            placeholder="EMP-\d{6}"
            onChange={(event) => onChange({ pattern: event.currentTarget.value })}
          />
        </Field>
      )
    case 'path':
      return (
        <Field label="Path" hint="* is any key, ** any depth." problem={problemOf('path')}>
          <Input
            value={rule.path}
            spellCheck={false}
            className="font-mono"
            placeholder="metadata.customer.email"
            onChange={(event) => onChange({ path: event.currentTarget.value })}
          />
        </Field>
      )
  }
}

function Fields({ rule, isEditable, onChange }: PartProps) {
  const toggle = (field: MaskedField, isChosen: boolean): void =>
    onChange({ fields: isChosen ? [...rule.fields, field] : rule.fields.filter((each) => each !== field) })
  return (
    <Group
      label="Fields"
      hint={rule.fields.length === 0 ? 'None chosen: the rule applies to all fields.' : undefined}
    >
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {Object.entries(fieldLabels).map(([value, label]) => {
          // Safe: these are the keys of the labels.
          const field = value as MaskedField
          return (
            // biome-ignore lint/a11y/noLabelWithoutControl: The box inside is the control; it is no native element.
            <label key={field} className="flex items-center gap-2 text-sm">
              <CheckBox
                label={label}
                isChecked={rule.fields.includes(field)}
                disabled={!isEditable}
                onChange={(isChosen) => toggle(field, isChosen)}
              />
              {label}
            </label>
          )
        })}
      </div>
    </Group>
  )
}
