/** One judgement for all traces that were chosen. */

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call, refresh, useClient, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { useToasts } from '../../ui/toast.tsx'

interface ScoreDialogProps {
  readonly traceIds: readonly string[]
  readonly onClose: () => void
}

export function ScoreDialog({ traceIds, onClose }: ScoreDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [name, setName] = useState('')
  const [written, setWritten] = useState('')
  const [comment, setComment] = useState('')
  const [given, setGiven] = useState<number>()
  const known = useRead('scores.list', { limit: 200 }).data?.scores ?? []
  const names = [...new Set(known.map((score) => score.name))].sort()
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '' || written.trim() === '') return
    const score = { name: name.trim(), value: scoreValue(written), comment: comment.trim() || null }
    const left = [...traceIds]
    try {
      for (const [at, traceId] of left.entries()) {
        setGiven(at)
        await call(client, 'scores.create', { traceId, ...score })
      }
      toasts.done(`Scored ${traceIds.length} ${traceIds.length === 1 ? 'trace' : 'traces'}`)
      onClose()
    } catch (error) {
      toasts.fail(error)
    }
    setGiven(undefined)
    await refresh(queries, ['scores.list', 'traces.get', 'traces.facets'])
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Score ${traceIds.length} ${traceIds.length === 1 ? 'trace' : 'traces'}`}
      description="Each is given the same judgement, in your name."
    >
      <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <Field label="Name">
          <Input
            autoFocus
            required
            list="names-of-scores"
            placeholder="accuracy"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <datalist id="names-of-scores">
          {names.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Field label="Value" hint="yes or no, a number, or a word">
          <Input required value={written} onChange={(event) => setWritten(event.currentTarget.value)} />
        </Field>
        <Field label="Reason">
          <Textarea rows={2} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={given !== undefined}>
            {given === undefined ? 'Score' : `${given} of ${traceIds.length}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** `yes` and `no` are true and false, what is a number is one, the rest is a category. */
function scoreValue(written: string): boolean | number | string {
  const text = written.trim()
  if (/^(yes|true)$/i.test(text)) return true
  if (/^(no|false)$/i.test(text)) return false
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
