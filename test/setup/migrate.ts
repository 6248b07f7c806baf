import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// Each test file starts from an empty database of its own.
await applyD1Migrations(env.DB, env.MIGRATIONS)
