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
import { root, runSilently } from './toolchain.mjs'

/**
 * Brings the local database of this state up to the newest migration, with the tool that does it in production. That
 * takes it most of a second for each, so a state without a database is given all of them as one.
 *
 * @param {string} stateDirectory
 */
export async function migrate(stateDirectory) {
  const isFresh = !existsSync(join(stateDirectory, 'v3/d1'))
  await (isFresh ? applyAsOne(stateDirectory) : apply(root, stateDirectory))
}

/**
 * Applies a migration that is called as the newest and holds all of them, with the rows by which wrangler knows the
 * others as applied; it adds that of the newest itself. A migration is one transaction: where this is killed, the state
 * has a database in which nothing counts as applied, and gets them one by one.
 *
 * @param {string} stateDirectory
 */
async function applyAsOne(stateDirectory) {
  const directory = join(root, 'migrations')
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  const newest = names.sort().pop() ?? ''
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

/** Applies what the database doesn't list as applied, one by one. @param {string} project @param {string} stateDirectory */
async function apply(project, stateDirectory) {
  const place = ['--local', '--persist-to', resolve(stateDirectory), '--cwd', project]
  await runSilently('wrangler', ['d1', 'migrations', 'apply', 'DB', ...place])
}
