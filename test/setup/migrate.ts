import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// Each test file starts from an empty database of its own: all migrations in one round trip, of which one by one there
// would be hundreds.
let n = 0
for (;;) {
  await reset()
  const { results } = await env.DB.prepare(
    `SELECT count(*) AS n FROM sqlite_master WHERE name NOT LIKE '_cf%' AND name NOT LIKE 'sqlite_%'`,
  ).all()
  if (results[0]?.n === 0) break
  console.log('again', ++n, JSON.stringify(results))
}
await env.DB.batch(env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))))
