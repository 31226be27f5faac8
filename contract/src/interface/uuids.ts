/** The forms of UUIDs. The service writes them in lower case; clients may send upper case. */

const form = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const formV7 = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'

export const uuidPattern = new RegExp(`^${form}$`)
export const uuidOfAnyCasePattern = new RegExp(`^${form}$`, 'i')
/** UUIDs with a timestamp, as the service generates them. */
export const uuidV7Pattern = new RegExp(`^${formV7}$`)
export const uuidV7OfAnyCasePattern = new RegExp(`^${formV7}$`, 'i')

/** The UUIDs in a text, in lower case. */
export const findUuids = (text: string): string[] => text.match(new RegExp(form, 'g')) ?? []
export const findUuidsV7 = (text: string): string[] => text.match(new RegExp(formV7, 'g')) ?? []
