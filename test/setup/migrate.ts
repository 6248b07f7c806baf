import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// Each test file starts from an empty database, in a runtime that all files share. Work that a former file deferred can
// write while its database is deleted, and then keeps it: so it is deleted until it is empty.
for (let isEmpty = false; !isEmpty; ) {
  await reset()
  const { results } = await env.DB.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).all()
  isEmpty = results.length === 0
}

// All statements go in one batch: one by one they would be hundreds of round trips.
await env.DB.batch(env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))))
