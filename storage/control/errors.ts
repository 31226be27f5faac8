/** A unique key is already in use: a slug, a version, a secret's hash. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists'
  /** The table that rejected the row, such as `prompts`. */
  readonly table: string

  constructor(table: string, options?: ErrorOptions) {
    super(`The table ${table} has a row with this key already.`, options)
    this.table = table
  }
}

/** A write refers to something that the workspace does not have. Reads return undefined instead. */
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
    | 'datasetVersion'
    | 'evaluator'
    | 'experiment'
    | 'run'
    | 'view'
    | 'dashboard'
    | 'comment'
    | 'share'
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

/** It was changed after the caller had read it. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
  readonly what: 'dashboard' | 'evaluator'
  readonly key: string

  constructor(what: VersionConflict['what'], key: string) {
    super(`The ${what} "${key}" was changed in the meantime.`)
    this.what = what
    this.key = key
  }
}

/** The item was removed from its annotation queue. */
export class AnnotationItemRemoved extends Error {
  override readonly name = 'AnnotationItemRemoved'

  constructor() {
    super('The item was taken out of the queue.')
  }
}

/** A running rollout uses this alert for its rollback. */
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

/** The rollout has ended and cannot change. */
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

/** The candidate of the rollout already has the tag. */
export class TagIsThere extends Error {
  override readonly name = 'TagIsThere'

  constructor() {
    super('The candidate has the tag already.')
  }
}

/** The tag can be moved only by an approved request. */
export class TagProtected extends Error {
  override readonly name = 'TagProtected'
  readonly tag: string

  constructor(tag: string) {
    super(`The tag "${tag}" is protected.`)
    this.tag = tag
  }
}

/** A version must not have the name of a tag, since the name would be ambiguous. */
export class VersionNamedAsTag extends Error {
  override readonly name = 'VersionNamedAsTag'
  readonly tag: string

  constructor(tag: string) {
    super(`A tag is called "${tag}".`)
    this.tag = tag
  }
}

/** The alert is already firing, so it would never trigger a rollback. */
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

/**
 * The database is temporarily unreachable, read-only or full, or rolled the call back because of a conflict: the same
 * call may succeed later.
 */
export class ControlStoreAway extends Error {
  override readonly name = 'ControlStoreAway'
  readonly isFull: boolean

  constructor({ isFull = false, ...options }: ErrorOptions & { readonly isFull?: boolean } = {}) {
    super(isFull ? 'The disk of the control store is full.' : 'The control store is unavailable.', options)
    this.isFull = isFull
  }
}

/** The database file is corrupted. */
export class ControlStoreDamaged extends Error {
  override readonly name = 'ControlStoreDamaged'
  /** What the engine found. */
  readonly problem: string

  constructor(problem: string, options?: ErrorOptions) {
    super(`The control store is damaged: ${problem}`, options)
    this.problem = problem
  }
}

/** This program must not migrate the database; the message says what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

/** A pooler in front of PostgreSQL gives each transaction a different session. */
export class TransactionPooling extends Error {
  override readonly name = 'TransactionPooling'

  constructor() {
    super(
      'DATABASE_URL: a pooler gives each transaction a different PostgreSQL session, but locks belong to a session. Use session pooling (PgBouncer: pool_mode = session), or connect to PostgreSQL directly.',
    )
  }
}

/** Another node uses the same database, and one of the two keeps its traces in its own folder. */
export class OtherNodes extends Error {
  override readonly name = 'OtherNodes'

  constructor(isAlone: boolean) {
    super(
      isAlone
        ? 'DATABASE_URL: another node uses this database, and would not see the traces of this node, which are in PLUMBLINE_DATA_DIR. Set CLICKHOUSE_URL on every node.'
        : 'DATABASE_URL: a node without CLICKHOUSE_URL uses this database, and keeps its traces in its own folder. Set CLICKHOUSE_URL on every node.',
    )
  }
}
