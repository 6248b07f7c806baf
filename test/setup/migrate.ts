import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// The Worker's bundler defines it.
Object.assign(globalThis, { SCHEMA_HASH: env.SCHEMA_HASH })

// Each test file starts with an empty database, in a runtime that all files share. Deferred work of an earlier file can write
// while the database is deleted, which keeps it. So it is deleted until it is empty.
for (let isEmpty = false; !isEmpty; ) {
  await reset()
  const { results } = await env.DB.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).all()
  isEmpty = results.length === 0
}

await env.DB.batch(env.SCHEMA_SQL.map((sql) => env.DB.prepare(sql)))
