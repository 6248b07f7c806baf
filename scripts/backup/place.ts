import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { queryDatabase } from '../database.mjs'
import { migrate, migrateDeployed } from '../migrate.mjs'
import { endLeftovers } from '../processes.mjs'
import { root, run } from '../toolchain.mjs'
import { type Bucket, openLocalBucket, readBucketConfig } from './bucket.ts'
import { type BucketUse, openRemoteBucket } from './remoteBucket.ts'
import { readLines } from './sealed.ts'

/** The location of the platform's data: local or deployed. */
export interface Place {
  readonly name: string
  readonly files: Bucket
  /** Copies a consistent snapshot of the database to a file. */
  snapshot(path: string): Promise<void>
  migrate(): Promise<void>
  /** The rows of each query. An export would block a deployed database. */
  query(queries: readonly string[]): Promise<Rows[]>
  /**
   * Runs the statements in order. A local database runs them in one transaction. D1 imports a file statement by statement, so each
   * must be valid by itself, and an interruption may leave the first ones.
   */
  execute(statements: AsyncIterable<string> | Iterable<string>): Promise<void>
  close(): Promise<void>
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** The state directory of `npm start`. Its server may run during a backup, but not during a restore. */
export async function openLocalPlace(stateDirectory: string): Promise<Place> {
  const files = await openLocalBucket(root, stateDirectory)
  return {
    ...createSqlitePlace(stateDirectory, files, () => findLocalDatabase(stateDirectory)),
    async migrate() {
      await endLeftovers(stateDirectory)
      await migrate(stateDirectory)
    },
  }
}

export function createSqlitePlace(name: string, files: Bucket, path: () => string): Omit<Place, 'migrate'> {
  return {
    name,
    files,
    async snapshot(target) {
      // Consistent even during concurrent writes.
      withDatabase(path(), (database) => database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`))
    },
    async query(queries) {
      return withDatabase(path(), (database) => queries.map((sql) => database.prepare(sql).all()))
    },
    async execute(statements) {
      const database = new DatabaseSync(path(), { timeout: 10_000 })
      try {
        database.exec('BEGIN IMMEDIATE')
        for await (const statement of statements) database.exec(statement)
        database.exec('COMMIT')
      } finally {
        // Closing rolls back an uncommitted transaction.
        database.close()
      }
    },
    close: () => files.close(),
  }
}

export interface WranglerTarget {
  readonly where: '--remote' | '--local'
  readonly project: string
  /** Whether files are only read. Then the token needs fewer rights. */
  readonly use: BucketUse
  readonly maxFileBytes?: number
}

/** The database in wrangler.toml: the deployed one, or a local one in tests. */
export async function openWranglerPlace({
  where,
  project,
  use,
  maxFileBytes = MAX_FILE_BYTES,
}: WranglerTarget): Promise<Place> {
  const options = [where, '--cwd', project]
  const callWrangler = (...parameters: string[]) => run('wrangler', [...parameters, ...options])
  const query = (queries: readonly string[]) => queryDatabase(options, queries)
  const files =
    where === '--remote'
      ? await openRemoteBucket(readBucketConfig(project), use, process.env)
      : await openLocalBucket(project, join(project, '.wrangler/state'))
  return {
    name: where === '--remote' ? 'the deployed database' : project,
    files,
    async snapshot(target) {
      for (let attempt = 1; ; attempt++) {
        const tears = await withScratch(async (scratch) => {
          const dump = join(scratch, 'dump.sql')
          await callWrangler('d1', 'export', 'DB', '--no-schema', '--skip-confirmation', '--output', dump)
          const [schema = []] = await query([SCHEMA])
          return loadDump(target, schema as unknown as readonly SchemaObject[], dump)
        })
        if (tears.length === 0) return
        if (attempt === MAX_EXPORTS) throw new Error(describeTears(tears))
        console.error(`${tears[0]} The export is not of one moment. Exporting once more.`)
        rmSync(target)
      }
    },
    async migrate() {
      await migrateDeployed(options)
    },
    query,
    async execute(statements) {
      await withScratch(async (scratch) => {
        // All files are written before the first one is imported, so that a statement that is too long is refused before any change.
        for (const file of await writeFiles(scratch, statements, maxFileBytes)) {
          // Importing a file blocks the database; a short query does not, but D1 cuts the triggers in it.
          const isShort = statSync(file).size < 4_000 && !/CREATE TRIGGER/i.test(readFileSync(file, 'utf8'))
          if (isShort) await query([readFileSync(file, 'utf8')])
          else await callWrangler('d1', 'execute', 'DB', '--yes', '--file', file)
        }
      })
    },
    close: () => files.close(),
  }
}

/** Cloudflare blocks writes to a database during an export. If the export is inconsistent all the same, it is repeated. */
const MAX_EXPORTS = 2

/** D1's limits for one statement and for one imported file (5 GB): https://developers.cloudflare.com/d1/platform/limits/ */
const MAX_STATEMENT_BYTES = 100_000
const MAX_FILE_BYTES = 4_500_000_000

/** Writes statements into as many files as D1's limit demands. */
async function writeFiles(
  directory: string,
  statements: AsyncIterable<string> | Iterable<string>,
  maxBytes: number,
): Promise<string[]> {
  const files: string[] = []
  let file = -1
  let size = Number.POSITIVE_INFINITY
  try {
    for await (const statement of statements) {
      const line = Buffer.from(`${statement};\n`)
      if (line.length > MAX_STATEMENT_BYTES)
        throw new Error(`A statement is longer than D1 takes: ${statement.slice(0, 60)}…`)
      if (size + line.length > maxBytes) {
        if (file !== -1) closeSync(file)
        const path = join(directory, `statements-${files.length}.sql`)
        file = openSync(path, 'w', 0o600)
        files.push(path)
        size = 0
      }
      writeSync(file, line)
      size += line.length
    }
  } finally {
    if (file !== -1) closeSync(file)
  }
  return files
}

interface SchemaObject {
  readonly type: string
  readonly sql: string
}

/** In creation order. A dump is loaded after the tables and before the triggers, so that no trigger runs. */
const SCHEMA = `SELECT type, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY rowid`

/** Loads a dump into a new database, and returns what shows that its tables are not of one moment. */
async function loadDump(
  target: string,
  schema: readonly SchemaObject[],
  dump: string,
): Promise<readonly string[]> {
  const database = new DatabaseSync(target, { enableForeignKeyConstraints: false })
  try {
    for (const { type, sql } of schema) if (type === 'table') database.exec(sql)
    database.exec('BEGIN')
    for await (const statement of readStatements(dump)) database.exec(statement)
    database.exec('COMMIT')
    for (const { type, sql } of schema) if (type !== 'table') database.exec(sql)
    return findTears(database)
  } finally {
    database.close()
  }
}

/** Accounts whose newest transfer is missing, or is newer than they say. */
const OTHER_BOOKS = `
  SELECT a.id FROM accounts a LEFT JOIN (
    SELECT account, max(seq) AS seq FROM (
      SELECT from_account AS account, seq FROM transfers UNION ALL SELECT to_account, seq FROM transfers)
    GROUP BY account) t ON t.account = a.id
  WHERE a.last_transfer <> coalesce(t.seq, 0) LIMIT 1`

function findTears(database: DatabaseSync): string[] {
  const orphans = database.prepare('PRAGMA foreign_key_check').all()
  const tables = [...new Set(orphans.map(({ table, parent }) => `${table} without their ${parent}`))]
  const accounts = database.prepare(OTHER_BOOKS).all()
  return [
    ...tables.map((what) => `The export has rows of ${what}.`),
    ...accounts.map(({ id }) => `The export has the account ${id} and its transfers of two moments.`),
  ]
}

function describeTears(tears: readonly string[]): string {
  return [
    ...tears,
    `Two exports were not of one moment: somebody writes while Cloudflare exports. Repeat the backup in a quiet hour. If it finds the
same again, the database itself is damaged: \`npm run cloudflare -- d1 export DB --remote --output dump.sql\` keeps it as it is.`,
  ].join('\n')
}

/** Streams the statements of a dump, which may not fit in memory. Texts in it may contain newlines. */
async function* readStatements(path: string): AsyncGenerator<string> {
  let statement = ''
  let isInText = false
  for await (const line of readLines(createReadStream(path))) {
    statement += `${line}\n`
    if ((line.split("'").length - 1) % 2 === 1) isInText = !isInText
    if (isInText || !line.endsWith(';')) continue
    yield statement
    statement = ''
  }
  if (statement.trim() !== '') yield statement
}

function findLocalDatabase(stateDirectory: string): string {
  const directory = join(stateDirectory, 'v3/d1/miniflare-D1DatabaseObject')
  const found = listNames(directory).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  const [only] = found
  if (only === undefined) throw new Error(`There is no database in ${stateDirectory}: is STATE_DIR right?`)
  if (found.length > 1) throw new Error(`There is more than one database in ${directory}.`)
  return join(directory, only)
}

export function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Runs `work` with a private temporary directory. */
async function withScratch<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'platform-backup-'))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function withDatabase<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Runs `work` with a copy of the database. */
export function withSnapshot<Result>(
  place: Pick<Place, 'snapshot'>,
  work: (database: DatabaseSync) => Promise<Result>,
): Promise<Result> {
  return withScratch(async (scratch) => {
    const path = join(scratch, 'snapshot.sqlite')
    await place.snapshot(path)
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      return await work(database)
    } finally {
      database.close()
    }
  })
}
