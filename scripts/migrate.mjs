import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { callCloudflare, getDatabasePath } from './cloudflareApi.mjs'
import { queryDatabase } from './database.mjs'
import { isMain, root, run, runCommand } from './toolchain.mjs'

/**
 * Applies the missing migrations to this state's local database with wrangler, as in production. Wrangler needs almost a
 * second for each, so a state without a database gets all of them as one migration. It needs some seconds to find that none is
 * missing, so it is not asked then.
 *
 * @param {string} stateDirectory
 * @param {readonly string[]} [known] what `refuseOtherMigrations` returned, if it was asked already
 */
export async function migrate(stateDirectory, known) {
  const applied = known ?? (await refuseOtherMigrations(stateDirectory))
  if (!hasDatabase(stateDirectory)) return applyAsOne(stateDirectory)
  if (listMigrationNames().some((name) => !applied.includes(name))) await apply(root, stateDirectory)
}

/**
 * Throws if this state's local database has migrations that this version does not know. Read-only. Returns the names of the
 * applied ones.
 *
 * @param {string} stateDirectory
 * @returns {Promise<string[]>}
 */
export async function refuseOtherMigrations(stateDirectory) {
  if (!hasDatabase(stateDirectory)) return []
  const script = join(root, 'scripts/applied-migrations.mjs')
  const printed = await run('node', [
    '--disable-warning=ExperimentalWarning',
    script,
    resolve(stateDirectory),
  ])
  const names = listMigrationNames()
  /** @type {string[]} */
  const applied = JSON.parse(printed)
  if (applied.every((name) => names.includes(name))) return applied
  throw new Error(
    `The database in ${stateDirectory} was made by another version and cannot be brought up to date: to begin anew, delete the folder ${stateDirectory}.`,
  )
}

// As wrangler makes it.
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/**
 * Applies the missing migrations to the deployed database, as one imported file. `wrangler d1 migrations apply` sends each as a query
 * instead, and the server cuts the statements of a query wrongly where a trigger contains `CASE … END` (workers-sdk 4727, 15690). Each
 * migration's row follows it, so that a failed import never records a migration that it did not apply. Refuses a database that
 * another version migrated, and one that a migration left half done.
 *
 * @param {readonly string[]} [where] wrangler's options that name the database
 * @returns {Promise<string[]>} the names of the applied migrations
 */
export async function migrateDeployed(where = ['--remote']) {
  const [, rows = [], objects = []] = await queryDatabase(where, [
    MIGRATIONS_TABLE,
    'SELECT name FROM d1_migrations ORDER BY id',
    "SELECT name FROM sqlite_master WHERE name NOT GLOB '_cf_*'",
  ])
  const applied = rows.map(({ name }) => String(name))
  const names = listMigrationNames()
  const unknown = applied.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(`The deployed database has migrations of another version: ${unknown.join(', ')}.`)
  const pending = names.filter((name) => !applied.includes(name))
  const [next] = pending
  if (next === undefined) return []
  const found = listCreatedObjects(readMigration(next)).filter((name) =>
    objects.some((object) => object.name === name),
  )
  if (found.length > 0)
    throw new Error(
      `${next} was applied in part: ${found[0]} exists already. Nothing was changed now.\n${REPAIR}`,
    )
  const bookmark = applied.length === 0 ? null : await readBookmark(where)
  if (bookmark !== null) console.log(`Before the migrations, the database is at bookmark ${bookmark}.`)
  try {
    await importMigrations(pending, where)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${REPAIR}`)
  }
  return pending
}

const REPAIR = `A new database without data: delete it (npm run cloudflare -- d1 delete DB) and create it again.
A database with data: go back to the state before the migrations, with the bookmark that was printed then or with the time:
  npm run cloudflare -- d1 time-travel restore DB --bookmark <bookmark>
What was written since is lost, so nobody may use the platform in between.`

/** @param {readonly string[]} pending @param {readonly string[]} where */
async function importMigrations(pending, where) {
  const directory = mkdtempSync(join(tmpdir(), 'platform-migrations-'))
  try {
    const file = join(directory, 'migrations.sql')
    writeFileSync(
      file,
      pending.map((name) => `${readMigration(name)}\n${recordMigration(name)}\n`).join('\n'),
    )
    await run('wrangler', ['d1', 'execute', 'DB', ...where, '--yes', '--file', file])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The point to which D1's Time Travel can go back. @param {readonly string[]} where */
async function readBookmark(where) {
  if (!where.includes('--remote')) return null
  return String((await callCloudflare(`${getDatabasePath()}/time_travel/bookmark`)).bookmark)
}

/** The names of the objects that a migration creates without dropping them first. @param {string} sql */
function listCreatedObjects(sql) {
  const matchNames = (/** @type {RegExp} */ pattern) =>
    [...sql.matchAll(pattern)].map(([, name = '']) => name)
  const dropped = matchNames(/^DROP (?:TABLE|INDEX|TRIGGER|VIEW) (?:IF EXISTS )?"?(\w+)/gm)
  const created = matchNames(/^CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER|VIEW) (?:IF NOT EXISTS )?"?(\w+)/gm)
  return created.filter((name) => !dropped.includes(name))
}

/** @param {string} name */
function readMigration(name) {
  return readFileSync(join(root, 'migrations', name), 'utf8')
}

/** @param {string} name */
function recordMigration(name) {
  return `INSERT INTO d1_migrations (name) VALUES ('${name}');`
}

/** @param {string} stateDirectory */
function hasDatabase(stateDirectory) {
  return existsSync(join(stateDirectory, 'v3/d1'))
}

/** The files of all migrations, in their order. */
export function listMigrationNames() {
  return readdirSync(join(root, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/**
 * Applies all migrations as one, with the name of the newest. Also inserts the rows in which wrangler records the older ones;
 * wrangler adds the newest. A migration is one transaction: if this process is killed, the database has no migrations, and the
 * next start applies them one by one.
 *
 * @param {string} stateDirectory
 */
async function applyAsOne(stateDirectory) {
  const names = listMigrationNames()
  const newest = names.pop() ?? ''
  const older = names.map((name) => `${readMigration(name)}\n${recordMigration(name)}`)
  const project = mkdtempSync(join(tmpdir(), 'platform-migrations-'))
  try {
    mkdirSync(join(project, 'migrations'))
    copyFileSync(join(root, 'wrangler.toml'), join(project, 'wrangler.toml'))
    writeFileSync(join(project, 'migrations', newest), [...older, readMigration(newest)].join('\n'))
    await apply(project, stateDirectory)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** Applies the migrations that the database doesn't list as applied, one by one. @param {string} project @param {string} stateDirectory */
async function apply(project, stateDirectory) {
  const place = ['--local', '--persist-to', resolve(stateDirectory), '--cwd', project]
  await run('wrangler', ['d1', 'migrations', 'apply', 'DB', ...place])
}

// `npm run migrate`: applies the missing migrations to the deployed database. `npm run deploy` does so too.
if (isMain(import.meta.url))
  await runCommand(async () => {
    const applied = await migrateDeployed()
    console.log(applied.length === 0 ? 'No migrations to apply.' : `Applied ${applied.join(', ')}.`)
  })
