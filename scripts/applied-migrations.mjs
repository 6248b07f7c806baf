// Prints the names of the migrations that a local database has applied, as JSON. Takes the state directory. It is a separate
// process, because `npm start` may run in an older Node without node:sqlite.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readAppliedMigrations } from './backup/manifest.ts'

const directory = join(process.argv[2] ?? '', 'v3/d1/miniflare-D1DatabaseObject')
// Reads a copy, because opening a database in WAL mode writes files beside it.
const copy = mkdtempSync(join(tmpdir(), 'platform-applied-'))
try {
  if (existsSync(directory)) cpSync(directory, copy, { recursive: true })
  // Miniflare names the file of a database by a hash.
  const files = readdirSync(copy).filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file))
  console.log(
    JSON.stringify(files.flatMap((file) => readAppliedMigrations(new DatabaseSync(join(copy, file))))),
  )
} finally {
  rmSync(copy, { recursive: true, force: true })
}
