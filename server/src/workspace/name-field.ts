/** The name of a creator or editor as a field, or no field if it is unknown. */
export function nameField<Field extends string>(
  names: ReadonlyMap<string, string>,
  field: Field,
  id: string,
): Partial<Record<Field, string>> {
  const name = names.get(id)
  // Safe: the field is the one key of the object.
  return (name === undefined ? {} : { [field]: name }) as Partial<Record<Field, string>>
}
