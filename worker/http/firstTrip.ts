/** The statements that open a request: they identify the bearer, count the use and claim the idempotency key. */
export interface FirstReads {
  /**
   * The statements. `guarded` ones stand before reads of the handler, and abort the batch unless the request may read; their
   * results are the same.
   */
  statements(guarded: boolean): D1PreparedStatement[]
  /** Whether the guards hold everything that `settle` refuses. Tries are then counted in the same batch. */
  readonly isWhollyGuarded: boolean
  /** Takes the results of the statements, or refuses the request. */
  settle(results: readonly D1Result[]): Promise<void>
}

/**
 * The first round trip of a request: puts the opening in front of the handler's first reads, as one batch. If a guard aborts that
 * batch, it leaves no changes behind: the opening is sent again, alone, and refuses the request. Counters of tries count as reads if the
 * guards hold everything that could refuse the request. Any other write never travels with the opening.
 */
export class FirstTrip {
  readonly #binding: D1Database
  readonly #opening: FirstReads
  #opened: Promise<readonly D1Result[] | null> | null = null

  constructor(binding: D1Database, opening: FirstReads) {
    this.#binding = binding
    this.#opening = opening
  }

  /** The database for the handler. The Worker uses no other member of the binding. */
  get binding(): D1Database {
    const held: Pick<D1Database, 'prepare' | 'batch'> = {
      prepare: (sql) => new Held(this, this.#binding.prepare(sql), sql) as unknown as D1PreparedStatement,
      batch: async (statements) => this.#send(statements as unknown as readonly Held[]) as never,
    }
    return held as D1Database
  }

  /** Sends the opening alone if it was not sent yet. If the opening was refused, every call refuses. */
  async open(): Promise<void> {
    this.#opened ??= this.#alone()
    await this.#opened
  }

  /** The results of statements that went with the opening. Null if the opening went alone, and they still have to be sent. */
  async together(statements: readonly Held[]): Promise<readonly D1Result[] | null> {
    if (this.#opened === null && statements.every(({ sql }) => this.#mayTravel(sql))) {
      this.#opened = this.#before(statements)
      return this.#opened
    }
    await this.open()
    return null
  }

  #mayTravel(sql: string): boolean {
    return isRead(sql) || (this.#opening.isWhollyGuarded && TRY.test(sql))
  }

  async #send(statements: readonly Held[]): Promise<readonly D1Result[]> {
    return (await this.together(statements)) ?? this.#binding.batch(statements.map(({ inner }) => inner))
  }

  async #before(statements: readonly Held[]): Promise<readonly D1Result[] | null> {
    const opening = this.#opening.statements(true)
    const all = [...opening, ...statements.map(({ inner }) => inner)]
    try {
      const results = await this.#binding.batch(all)
      await this.#opening.settle(results.slice(0, opening.length))
      return results.slice(opening.length)
    } catch (error) {
      // The outcome of any other failure is unknown, and a try must not be counted twice.
      if (isAborted(error)) return this.#alone()
      throw error
    }
  }

  async #alone(): Promise<null> {
    await this.#opening.settle(await this.#binding.batch(this.#opening.statements(false)))
    return null
  }
}

/** A statement of the handler. */
class Held {
  readonly #trip: FirstTrip
  readonly inner: D1PreparedStatement
  readonly sql: string

  constructor(trip: FirstTrip, inner: D1PreparedStatement, sql: string) {
    this.#trip = trip
    this.inner = inner
    this.sql = sql
  }

  bind(...values: unknown[]): Held {
    return new Held(this.#trip, this.inner.bind(...values), this.sql)
  }

  async all(): Promise<D1Result> {
    const [result] = (await this.#trip.together([this])) ?? []
    return result ?? this.inner.all()
  }

  run(): Promise<D1Result> {
    return this.all()
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results as Record<string, unknown>[]
    return (column === undefined ? row : row?.[column]) ?? null
  }

  async raw(): Promise<unknown[]> {
    if (!hasDistinctColumns(this.sql)) await this.#trip.open()
    const [result] = (await this.#trip.together([this])) ?? []
    return result ? result.results.map((row) => Object.values(Object(row))) : this.inner.raw()
  }
}

/** Whether the columns of a SELECT have different names. A batch has rows as objects, where columns of one name are one. */
export function hasDistinctColumns(sql: string): boolean {
  const names = new Set<string>()
  for (let at = 'select '.length, start = at, depth = 0; at < sql.length; at++) {
    if (sql[at] === '(') depth++
    else if (sql[at] === ')') depth--
    else if (depth === 0 && (sql[at] === ',' || sql.startsWith(' from ', at))) {
      const column = sql.slice(start, at).trim()
      const name = /"(\w+)"$/.exec(column)?.[1] ?? column
      if (names.has(name)) return false
      names.add(name)
      if (sql[at] !== ',') return true
      start = at + 1
    }
  }
  return false
}

/** Whether a statement only reads. After a common table expression it might write, so its words decide. */
function isRead(sql: string): boolean {
  return (
    /^\s*SELECT\b/i.test(sql) ||
    (/^\s*WITH\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE|REPLACE INTO)\b/i.test(sql))
  )
}

/** Statements that count a try before it is judged. */
const TRY = /^\s*(?:INSERT INTO rate_counters|UPDATE withdrawal_codes SET tries = tries \+ 1)\b/

/**
 * A column that aborts the batch where a condition holds: SQLite has no other way to raise an error in a SELECT. Empty if not
 * `guarded`.
 */
export function refuseIfSql(condition: string, guarded: boolean): string {
  return guarded ? `, CASE WHEN ${condition} THEN json('refused') END AS refused` : ''
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && /malformed JSON/.test(`${error.message} ${String(error.cause)}`)
}

/** An object whose other fields become known with the first round trip. Until then, reading one calls `miss`, which throws. */
export function createDeferred<T extends object>(known: Partial<T>, miss: () => never): T {
  return new Proxy(known, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : miss()),
  }) as T
}
