/** Which field of the editor a refusal of the service names. Pure. */

export interface Refusal {
  /** A field of the configuration by its place, or `name`, `slug`, `sampleRate`. */
  readonly field: string
  /** The problem, worded to follow the field's label. */
  readonly problem: string
}

/** `config.verdict.max: must be …` names the nearest field that is shown; undefined where it names none. */
export function refusedField(sentence: string, shown: readonly string[]): Refusal | undefined {
  const [, path = '', problem = ''] = /^([\w.[\]]+): ([\s\S]+)$/.exec(sentence) ?? []
  const place = path.replace(/^config\./, '').replace(/\[.*$/, '')
  const field =
    shown.find((name) => name === place) ??
    // Of a part that has no field of its own, the first field beside it.
    shown.find((name) => place !== '' && name.startsWith(`${place}.`)) ??
    shown.find((name) => place.startsWith(`${name}.`))
  return field === undefined ? undefined : { field, problem: problem.replace(/\.$/, '') }
}
