/** What already has this key: a slug, a version, a secret's hash. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists'
  /** The table that refused the row, such as `prompts`. */
  readonly table: string

  constructor(table: string, options?: ErrorOptions) {
    super(`The table ${table} has a row with this key already.`, options)
    this.table = table
  }
}

/** A write that names something its workspace does not have. Reads answer undefined instead. */
export class NotFound extends Error {
  override readonly name = 'NotFound'
  readonly what:
    | 'workspace'
    | 'feature'
    | 'prompt'
    | 'promptVersion'
    | 'promptTag'
    | 'dataset'
    | 'datasetRow'
    | 'evaluator'
    | 'experiment'
    | 'run'
    | 'view'
    | 'connection'
    | 'rollout'
    | 'alert'
    | 'channel'
    | 'notification'
    | 'annotationQueue'
    | 'annotationItem'
  readonly key: string

  constructor(what: NotFound['what'], key: string) {
    super(`There is no ${what} "${key}".`)
    this.what = what
    this.key = key
  }
}

/** An item that was taken out of its annotation queue. */
export class AnnotationItemRemoved extends Error {
  override readonly name = 'AnnotationItemRemoved'

  constructor() {
    super('The item was taken out of the queue.')
  }
}

/** An alert that a running rollout is rolled back by. */
export class AlertInUse extends Error {
  override readonly name = 'AlertInUse'
  readonly prompt: string
  readonly tag: string

  constructor(prompt: string, tag: string) {
    super(`The rollout of "${prompt}" at "${tag}" needs this alert.`)
    this.prompt = prompt
    this.tag = tag
  }
}

/** A change of a rollout that runs no more. */
export class RolloutEnded extends Error {
  override readonly name = 'RolloutEnded'
  readonly id: string
  readonly status: string

  constructor(id: string, status: string) {
    super(`The rollout "${id}" has ended.`)
    this.id = id
    this.status = status
  }
}

/** A rollout of the version that has the tag already. */
export class TagIsThere extends Error {
  override readonly name = 'TagIsThere'

  constructor() {
    super('The candidate has the tag already.')
  }
}

/** An alert that fires already cannot begin to, and so would never roll anything back. */
export class AlertFires extends Error {
  override readonly name = 'AlertFires'
  readonly alert: string

  constructor(alert: string) {
    super(`The alert "${alert}" fires already.`)
    this.alert = alert
  }
}

/** A workspace would be left without an owner. */
export class LastOwner extends Error {
  override readonly name = 'LastOwner'

  constructor() {
    super('The workspace has one owner only.')
  }
}

/** The database cannot be reached, or cannot write, for now: the same call may succeed later. */
export class ControlStoreAway extends Error {
  override readonly name = 'ControlStoreAway'

  constructor(options?: ErrorOptions) {
    super('The control store is away.', options)
  }
}

/** The database is not one that this program may migrate; the message says what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}
