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
import { root, run } from './toolchain.mjs'

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
  if (migrationNames().some((name) => !applied.includes(name))) await apply(root, stateDirectory)
}

/**
 * Throws if this state's local database has migrations that this version does not know. Changes nothing. Returns the names of those
 * that it has.
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
  const names = migrationNames()
  /** @type {string[]} */
  const applied = JSON.parse(printed)
  if (applied.every((name) => names.includes(name))) return applied
  throw new Error(
    `The database in ${stateDirectory} was made by another version and cannot be brought up to date: to begin anew, delete the folder ${stateDirectory}.`,
  )
}

/** @param {string} stateDirectory */
function hasDatabase(stateDirectory) {
  return existsSync(join(stateDirectory, 'v3/d1'))
}

/** The files of all migrations, in their order. */
export function migrationNames() {
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
  const directory = join(root, 'migrations')
  const names = migrationNames()
  const newest = names.pop() ?? ''
  const read = (/** @type {string} */ name) => readFileSync(join(directory, name), 'utf8')
  const older = names.map((name) => `${read(name)}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`)
  const project = mkdtempSync(join(tmpdir(), 'evenkeel-migrations-'))
  try {
    mkdirSync(join(project, 'migrations'))
    copyFileSync(join(root, 'wrangler.toml'), join(project, 'wrangler.toml'))
    writeFileSync(join(project, 'migrations', newest), [...older, read(newest)].join('\n'))
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
