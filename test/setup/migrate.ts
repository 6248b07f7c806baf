import { env } from 'cloudflare:workers'

// Each test file starts from an empty database of its own. All statements go in one batch: one by one they would be hundreds
// of round trips.
await env.DB.batch(env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))))
