/** A form that sends one operation: its fields are checked against the operation's schema. */
import type { FieldValues } from 'react-hook-form'
import { type Form, type FormOptions, useForm } from '../ui/form/use-form.ts'
import { forgetDraft } from '../ui/storage/draft.ts'
import { type ChangeOptions, type Input, type OperationName, useChange } from './api.ts'

type OperationFormOptions<Values extends FieldValues, Name extends OperationName> = Omit<
  FormOptions<Values, Input<Name>>,
  'send'
> &
  Omit<ChangeOptions<Name>, 'showsErrors'>

export function useOperationForm<Values extends FieldValues, Name extends OperationName>(
  name: Name,
  { refreshes, onDone, ...options }: OperationFormOptions<Values, Name>,
): Form<Values> {
  const change = useChange(name, {
    ...(refreshes && { refreshes }),
    onDone: (output, input) => {
      // Called at once: the form waits for the refreshes, and its page may be left meanwhile.
      if (options.draftName !== undefined) forgetDraft(options.draftName)
      onDone?.(output, input)
    },
    showsErrors: true,
  })
  return useForm({ ...options, send: change.mutateAsync })
}
