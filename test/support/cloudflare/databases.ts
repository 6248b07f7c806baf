import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ApiAnswer, type ApiRefusal, type ApiRequest, type Product, readJson } from './server.ts'
import { splitStatements } from './statements.ts'

interface Database {
  readonly id: string
  readonly name: string
  readonly jurisdiction: string | null
  readonly location: string | null
  readonly path: string
  connection: DatabaseSync
  /** How many polls the running export still needs. Meanwhile D1 answers no query. */
  exporting: number
  exports: number
}

export interface Databases {
  readonly answer: Product
  /** Uploads of imports and downloads of exports, by addresses that need no token. */
  answerFile(request: ApiRequest): Response | undefined
  /** An open connection to a database by its name, as a Worker's binding. */
  connect(name: string): DatabaseSync
  countExports(name: string): number
  /**
   * Calls `write` before each table of the next exports. Cloudflare blocks a database while it exports it, but documents nothing
   * about what was begun before.
   */
  duringExports(write: (table: string) => void): void
  /** Puts the content of an SQLite file in place of a database's. */
  replace(name: string, path: string): void
  has(id: string): boolean
  find(name: string): Pick<Database, 'id' | 'name' | 'jurisdiction' | 'location'> | undefined
  close(): void
}

const MAX_STATEMENT_BYTES = 100_000
/** Polls until an export is ready. */
const EXPORT_POLLS = 2

/** D1: `/d1/database`. */
export function openDatabases(directory: string): Databases {
  const databases = new Map<string, Database>()
  const files = new Map<string, Buffer>()
  const bookmarks = new Map<string, string>()
  let writeBefore: (table: string) => void = () => undefined
  const find = (name: string) => [...databases.values()].find((database) => database.name === name)

  function create(request: ApiRequest): ApiAnswer {
    const { name, jurisdiction, primary_location_hint: location } = readJson(request)
    if (find(String(name)) !== undefined)
      return { code: 7502, message: `Database with name '${name}' already exists` }
    const id = randomUUID()
    const path = join(directory, `${id}.sqlite`)
    const database: Database = {
      id,
      name: String(name),
      jurisdiction: jurisdiction === undefined ? null : String(jurisdiction),
      location: location === undefined ? null : String(location),
      path,
      connection: connect(path),
      exporting: 0,
      exports: 0,
    }
    databases.set(id, database)
    return { result: describe(database) }
  }

  function answerDatabase(request: ApiRequest, database: Database, action: string): ApiAnswer | undefined {
    const isPost = request.method === 'POST'
    if (action === '' && request.method === 'GET') return { result: describe(database) }
    if (action === '' && request.method === 'DELETE') {
      database.connection.close()
      databases.delete(database.id)
      return { result: null }
    }
    if (action === '/query' && isPost) return query(database, String(readJson(request).sql))
    if (action === '/import' && isPost) return importFile(request, database)
    if (action === '/export' && isPost) return exportFile(request, database)
    if (action === '/time_travel/bookmark') {
      const bookmark = `${String(bookmarks.size).padStart(8, '0')}-${randomUUID()}`
      const copy = join(directory, `${bookmark}.sqlite`)
      database.connection.exec(`VACUUM INTO '${copy}'`)
      bookmarks.set(bookmark, copy)
      return { result: { bookmark } }
    }
    if (action === '/time_travel/restore' && isPost) {
      const bookmark = request.query.get('bookmark') ?? ''
      const copy = bookmarks.get(bookmark)
      if (copy === undefined) return { code: 7500, message: 'Invalid bookmark' }
      load(database, copy)
      return { result: { bookmark, previous_bookmark: bookmark, message: 'Restored' } }
    }
    return undefined
  }

  function importFile(request: ApiRequest, database: Database): ApiAnswer {
    const { action, etag, filename } = readJson(request)
    if (action === 'init') {
      const name = `${etag}.sql`
      return {
        result: {
          success: true,
          type: 'import',
          filename: name,
          upload_url: `${request.origin}/files/${name}`,
        },
      }
    }
    if (action !== 'ingest') return { code: 7500, message: 'Not currently importing anything.' }
    const sql = files.get(String(filename))
    if (sql === undefined) return { code: 7500, message: 'The file was not uploaded.' }
    const ran = runStatements(database, sql.toString('utf8'))
    if ('code' in ran)
      return {
        result: {
          success: true,
          type: 'import',
          status: 'error',
          messages: [],
          errors: [ran.message],
          error: ran.message,
        },
      }
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 4096 }
    const result = { num_queries: ran.length, final_bookmark: 'imported', meta }
    return { result: { success: true, type: 'import', status: 'complete', messages: [], result } }
  }

  function exportFile(request: ApiRequest, database: Database): ApiAnswer {
    const { current_bookmark: bookmark, dump_options: options } = readJson(request)
    if (bookmark === undefined) {
      database.exports += 1
      database.exporting = EXPORT_POLLS
    } else database.exporting -= 1
    const running = { success: true, type: 'export', at_bookmark: 'running', messages: [] }
    if (database.exporting > 0) return { result: { ...running, status: 'active' } }
    const name = `${randomUUID()}-export.sql`
    files.set(name, Buffer.from(dump(database.connection, options as DumpOptions, writeBefore)))
    const result = { filename: name, signed_url: `${request.origin}/files/${name}` }
    return { result: { ...running, status: 'complete', result } }
  }

  return {
    answer(request) {
      if (!request.path.startsWith('/d1/database')) return undefined
      const [, id, action = ''] = /^\/d1\/database\/([^/]+)(\/.+)?$/.exec(request.path) ?? []
      if (id === undefined && request.method === 'POST') return create(request)
      if (id === undefined) {
        const name = request.query.get('name')
        return {
          result: [...databases.values()].filter((one) => name === null || one.name === name).map(describe),
        }
      }
      const database = databases.get(id)
      if (database === undefined)
        return { code: 7404, message: `The database ${id} could not be found`, status: 404 }
      if (database.exporting > 0 && action !== '/export')
        return { code: 7500, message: 'D1_ERROR: Currently processing a long-running export.', status: 400 }
      return answerDatabase(request, database, action)
    },
    answerFile({ method, path, body }) {
      const name = /^\/files\/(.+)$/.exec(path)?.[1]
      if (name === undefined) return undefined
      if (method === 'GET') return new Response(new Uint8Array(files.get(name) ?? []))
      files.set(name, body)
      return new Response('', { headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } })
    },
    connect(name) {
      const database = find(name)
      if (database === undefined) throw new Error(`There is no database ${name}.`)
      return database.connection
    },
    countExports: (name) => find(name)?.exports ?? 0,
    duringExports(write) {
      writeBefore = write
    },
    replace(name, path) {
      const database = find(name)
      if (database !== undefined) load(database, path)
    },
    has: (id) => databases.has(id),
    find,
    close() {
      for (const { connection } of databases.values()) connection.close()
    },
  }
}

function connect(path: string): DatabaseSync {
  return new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 10_000 })
}

function load(database: Database, path: string): void {
  database.connection.close()
  copyFileSync(path, database.path)
  database.connection = connect(database.path)
}

function describe({ id, name, jurisdiction, location }: Database) {
  return {
    uuid: id,
    name,
    jurisdiction,
    version: 'production',
    created_at: '2026-01-01T00:00:00Z',
    location,
    num_tables: 0,
    file_size: 4096,
  }
}

function query(database: Database, sql: string): ApiAnswer {
  // Observed, not documented: workers-sdk 15690.
  if (/\bCREATE\s+TRIGGER\b/i.test(sql)) return { code: 7500, message: 'incomplete input: SQLITE_ERROR' }
  const ran = runStatements(database, sql)
  return 'code' in ran ? ran : { result: ran }
}

/** Runs each statement in a transaction of its own, and stops at the first that fails. */
function runStatements(database: Database, sql: string): object[] | ApiRefusal {
  const answers: object[] = []
  for (const statement of splitStatements(sql)) {
    const refusal = refuseStatement(statement)
    if (refusal !== undefined) return refusal
    try {
      const results = database.connection.prepare(statement).all()
      answers.push({
        results,
        success: true,
        meta: { duration: 0.1, changes: 0, rows_read: 0, rows_written: 0 },
      })
    } catch (error) {
      return { code: 7500, message: `${error instanceof Error ? error.message : error}: SQLITE_ERROR` }
    }
  }
  return answers
}

function refuseStatement(statement: string): ApiRefusal | undefined {
  if (Buffer.byteLength(statement) > MAX_STATEMENT_BYTES)
    return { code: 7500, message: 'statement too long: SQLITE_TOOBIG' }
  if (/^(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT)\b/i.test(statement))
    return {
      code: 7500,
      message:
        'To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements.',
    }
  return undefined
}

interface DumpOptions {
  readonly no_schema?: boolean
  readonly no_data?: boolean
  readonly tables?: readonly string[]
}

function dump(
  database: DatabaseSync,
  { no_schema, no_data, tables = [] }: DumpOptions,
  writeBefore: (table: string) => void,
): string {
  const objects = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid",
    )
    .all()
    .filter(({ name }) => tables.length === 0 || tables.includes(String(name)))
  const lines = ['PRAGMA defer_foreign_keys=TRUE;']
  for (const { type, name, sql } of objects) {
    if (type !== 'table') continue
    if (!no_schema) lines.push(`${sql};`)
    if (no_data) continue
    writeBefore(String(name))
    const columns = database.prepare(`PRAGMA table_info("${name}")`).all()
    const values = columns.map((column) => `quote("${column.name}")`).join(" || ',' || ")
    const names = columns.map((column) => `"${column.name}"`).join(',')
    for (const { row } of database.prepare(`SELECT ${values} AS row FROM "${name}"`).all())
      lines.push(`INSERT INTO "${name}" (${names}) VALUES(${row});`)
  }
  if (!no_schema) for (const { type, sql } of objects) if (type !== 'table') lines.push(`${sql};`)
  return `${lines.join('\n')}\n`
}
