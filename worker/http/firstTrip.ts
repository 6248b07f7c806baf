/** The statements that open a request: they identify the bearer, count the use and claim the idempotency key. */
export interface Opening {
  /**
   * The statements. `guarded` ones stand before reads of the handler, and abort the batch unless the request may read; their
   * results are the same.
   */
  statements(guarded: boolean): D1PreparedStatement[]
  /** Takes the results of the statements, or refuses the request. */
  settle(results: readonly D1Result[]): Promise<void>
}

/**
 * The first round trip of a request: puts the opening in front of the handler's first reads, as one batch. A write never travels
 * with it. If that batch fails, it left nothing behind: the opening goes again, alone, and makes its refusal, or the reads follow.
 */
export class FirstTrip {
  readonly #binding: D1Database
  readonly #opening: Opening
  #opened: Promise<readonly D1Result[] | null> | null = null

  constructor(binding: D1Database, opening: Opening) {
    this.#binding = binding
    this.#opening = opening
  }

  /** The database for the handler. The Worker uses no other member of the binding. */
  get binding(): D1Database {
    const held: Pick<D1Database, 'prepare' | 'batch'> = {
      prepare: (sql) =>
        new Held(this, this.#binding.prepare(sql), isRead(sql)) as unknown as D1PreparedStatement,
      batch: async (statements) => this.#send(statements as unknown as readonly Held[]) as never,
    }
    return held as D1Database
  }

  /** Sends the opening alone if nothing was sent yet. Refuses if the opening was refused, each time that it is called. */
  async open(): Promise<void> {
    this.#opened ??= this.#alone()
    await this.#opened
  }

  /** The results of reads that go with the opening. Null if the opening went alone, and they still have to be sent. */
  async together(statements: readonly Held[]): Promise<readonly D1Result[] | null> {
    if (this.#opened === null && statements.every(({ isRead }) => isRead)) {
      this.#opened = this.#before(statements)
      return this.#opened
    }
    await this.open()
    return null
  }

  async #send(statements: readonly Held[]): Promise<readonly D1Result[]> {
    return (await this.together(statements)) ?? this.#binding.batch(statements.map(({ inner }) => inner))
  }

  async #before(reads: readonly Held[]): Promise<readonly D1Result[] | null> {
    const opening = this.#opening.statements(true)
    const all = [...opening, ...reads.map(({ inner }) => inner)]
    const results = await this.#binding.batch(all).catch(() => null)
    if (results === null) return this.#alone()
    await this.#opening.settle(results.slice(0, opening.length))
    return results.slice(opening.length)
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
  readonly isRead: boolean

  constructor(trip: FirstTrip, inner: D1PreparedStatement, isRead: boolean) {
    this.#trip = trip
    this.inner = inner
    this.isRead = isRead
  }

  bind(...values: unknown[]): Held {
    return new Held(this.#trip, this.inner.bind(...values), this.isRead)
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

  // A batch has no rows as arrays.
  async raw(): Promise<unknown[]> {
    await this.#trip.open()
    return this.inner.raw()
  }
}

/** Whether a statement only reads. After a common table expression it might write, so the words decide. */
function isRead(sql: string): boolean {
  return (
    /^\s*SELECT\b/i.test(sql) ||
    (/^\s*WITH\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(sql))
  )
}

/**
 * A column that aborts the batch where a condition holds: SQLite has no other way to raise an error in a SELECT. Empty if not
 * `guarded`.
 */
export function abortingIf(condition: string, guarded: boolean): string {
  return guarded ? `, CASE WHEN ${condition} THEN json('refused') END AS refused` : ''
}

/** An object whose other fields become known with the first round trip. Until then, reading one calls `miss`, which throws. */
export function knownLater<T extends object>(known: Partial<T>, miss: () => never): T {
  return new Proxy(known, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : miss()),
  }) as T
}
