import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// The Worker's bundler defines it.
Object.assign(globalThis, { SCHEMA_HASH: env.SCHEMA_HASH })

/** Characters of one statement for the database, which takes 100,000. */
const MOST_CHARACTERS = 95_000

// Each test file starts with an empty database, in a runtime that all files share. Deferred work of an earlier file can write
// while the database is deleted, which keeps it. So it is deleted until it is empty.
for (let isEmpty = false; !isEmpty; ) {
  await reset()
  const { results } = await env.DB.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).all()
  isEmpty = results.length === 0
}

await env.DB.batch(joinMigrations().map((queries) => env.DB.prepare(queries)))

/** All migrations in few statements, because single ones would take hundreds of round trips. */
function joinMigrations(): string[] {
  const joined = ['']
  for (const query of env.MIGRATIONS.flatMap(({ queries }) => queries)) {
    // The only statement of a file comes with its semicolon.
    const next = `${query.replace(/;\s*$/, '')}\n;\n`
    const last = joined.length - 1
    if (`${joined[last]}${next}`.length > MOST_CHARACTERS) joined.push(next)
    else joined[last] += next
  }
  return joined
}
