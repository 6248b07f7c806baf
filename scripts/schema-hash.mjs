// Writes worker/console/selfCheck/schemaHash.ts: the hash of the schema after all migrations, which the Worker compares with
// the database. Run it after each change of a migration: `npm run schema-hash`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashDatabaseSchema } from './backup/manifest.ts'
import { createFreshDatabase } from './backup/tables.ts'
import { isMain, root } from './toolchain.mjs'

/** The hash of an empty database with all migrations. */
export const hashOfMigrations = () => hashDatabaseSchema(createFreshDatabase())

if (isMain(import.meta.url))
  writeFileSync(
    join(root, 'worker/console/selfCheck/schemaHash.ts'),
    `/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '${await hashOfMigrations()}'
`,
  )
