import { env } from 'cloudflare:workers'

// Each test file starts from an empty database of its own: all migrations in one round trip, of which one by one there
// would be hundreds.
await env.DB.batch(env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))))
