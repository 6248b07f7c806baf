// Prints the names of the migrations that a local database has applied, as JSON. It has a process of its own, because
// node:sqlite is in the project's Node, and `npm start` runs in whichever Node there is. Takes the state's directory.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const directory = join(process.argv[2] ?? '', 'v3/d1/miniflare-D1DatabaseObject')
// A copy is read, because opening a database in WAL mode writes files beside it.
const copy = mkdtempSync(join(tmpdir(), 'evenkeel-applied-'))
try {
  if (existsSync(directory)) cpSync(directory, copy, { recursive: true })
  console.log(JSON.stringify(readdirSync(copy).filter(isDatabase).flatMap(appliedIn)))
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** Miniflare names the file of a database by a hash. @param {string} file */
function isDatabase(file) {
  return /^[0-9a-f]{64}\.sqlite$/.test(file)
}

/** @param {string} file */
function appliedIn(file) {
  const database = new DatabaseSync(join(copy, file))
  try {
    const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").get()
    if (known === undefined) return []
    return database
      .prepare('SELECT name FROM d1_migrations ORDER BY id')
      .all()
      .map(({ name }) => String(name))
  } finally {
    database.close()
  }
}
