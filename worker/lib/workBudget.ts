import type { Database } from './database.ts'
import { runtime } from './runtime.ts'

/**
 * What one cron job may use in a minute: statements to the database, and time. The clock of a Worker stands still while it computes, so
 * time is seen at the next answer of the database. Jobs with many items ask `hasBudget` before each, and go on in the next minute. A job
 * that does not ask is cut off at its last statement.
 */
export class WorkBudget {
  readonly #endsAtMs: number
  #left: number
  used = 0

  constructor({ statements, ms }: { readonly statements: number; readonly ms: number }) {
    this.#left = statements
    this.#endsAtMs = runtime.now() + ms
  }

  hasStatements(statements: number): boolean {
    return this.#left >= statements
  }

  hasTime(): boolean {
    return runtime.now() < this.#endsAtMs
  }

  /** Counts statements before they are sent. Throws if they are too many, and from then on for each further one. */
  take(statements: number): void {
    if (statements > this.#left) {
      this.close()
      throw new Error('E_WORK_BUDGET: the job has used its share of this minute')
    }
    this.#left -= statements
    this.used += statements
  }

  /** Refuses every further statement. */
  close(): void {
    this.#left = -1
  }
}

/** Whether a job has time left and may send so many more statements in this minute. Always true outside cron. */
export function hasBudget(db: Database, statements: number): boolean {
  return hasStatements(db, statements) && (findBudget(db)?.hasTime() ?? true)
}

/** The same without the time limit, for work that waits for other servers: a slow server must not stop the work after it. */
export function hasStatements(db: Database, statements: number): boolean {
  return findBudget(db)?.hasStatements(statements) ?? true
}

function findBudget(db: Database): WorkBudget | null {
  const binding: unknown = db.$client
  return binding instanceof LimitedDatabase ? binding.budget : null
}

/** A D1 binding whose statements a budget counts. */
export function limitDatabase(binding: D1Database, budget: WorkBudget): D1Database {
  return new LimitedDatabase(binding, budget) as unknown as D1Database
}

/** The binding itself, which is the same object in each run of an instance. */
export function getUnlimitedDatabase(binding: D1Database): D1Database {
  const given: unknown = binding
  return given instanceof LimitedDatabase ? given.inner : binding
}

/** The Worker uses no other member of the binding. */
class LimitedDatabase {
  readonly inner: D1Database
  readonly budget: WorkBudget

  constructor(inner: D1Database, budget: WorkBudget) {
    this.inner = inner
    this.budget = budget
  }

  prepare(query: string): LimitedStatement {
    return new LimitedStatement(this.inner.prepare(query), this.budget)
  }

  async batch(statements: readonly LimitedStatement[]): Promise<readonly D1Result[]> {
    this.budget.take(statements.length)
    return this.inner.batch(statements.map(({ inner }) => inner))
  }
}

class LimitedStatement {
  readonly inner: D1PreparedStatement
  readonly #budget: WorkBudget

  constructor(inner: D1PreparedStatement, budget: WorkBudget) {
    this.inner = inner
    this.#budget = budget
  }

  bind(...values: unknown[]): LimitedStatement {
    return new LimitedStatement(this.inner.bind(...values), this.#budget)
  }

  async all(): Promise<D1Result> {
    this.#budget.take(1)
    return this.inner.all()
  }

  async run(): Promise<D1Result> {
    this.#budget.take(1)
    return this.inner.run()
  }

  async first(column?: string): Promise<unknown> {
    this.#budget.take(1)
    return column === undefined ? this.inner.first() : this.inner.first(column)
  }

  async raw(): Promise<unknown[]> {
    this.#budget.take(1)
    return this.inner.raw()
  }
}
