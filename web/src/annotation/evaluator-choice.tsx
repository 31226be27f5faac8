import { Link } from '@tanstack/react-router'
import { useController } from 'react-hook-form'
import { useRead } from '../app/api.ts'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import { Group } from '../ui/form/field.tsx'
import type { Form } from '../ui/form/use-form.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import type { QueueValues } from './queue-values.ts'

/** Human evaluators, in the order in which they were chosen. */
export function EvaluatorChoice({ form }: { readonly form: Form<QueueValues> }) {
  const { field, fieldState } = useController({ control: form.control, name: 'evaluatorSlugs' })
  const slugs: readonly string[] = field.value
  const evaluators = useRead('evaluators.list', {}).data?.evaluators
  const human = evaluators?.filter(({ kind }) => kind === 'human')
  if (human === undefined) return <Skeleton className="h-5 w-2/5" />
  if (human.length === 0)
    return (
      <p className="text-sm text-ink-2">
        There are no human evaluators yet.{' '}
        <Link
          to="/evaluators/new"
          search={{ kind: 'human' }}
          className="font-medium text-accent-ink hover:underline"
        >
          Create a “Human” evaluator
        </Link>
        with a rubric and try again.
      </p>
    )
  return (
    <Group
      label="Scored with"
      hint="Each item is scored with all of them, in this order."
      problem={fieldState.error?.message}
    >
      {human.map(({ slug, name }) => (
        <LabelledCheckbox
          key={slug}
          label={name}
          isChecked={slugs.includes(slug)}
          onChange={(isOn) =>
            field.onChange(isOn ? [...slugs, slug] : slugs.filter((other) => other !== slug))
          }
        />
      ))}
    </Group>
  )
}
