import { expect, test } from 'vitest'
import { SCHEMA_HASH } from '../worker/console/selfCheck/schemaHash.ts'
import { hashOfMigrations } from './schema-hash.mjs'

test('the hash that the self-check expects is that of the migrations: else run node scripts/schema-hash.mjs', async () => {
  expect(SCHEMA_HASH).toBe(await hashOfMigrations())
})
