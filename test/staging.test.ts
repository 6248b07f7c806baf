import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { readSettings } from '../scripts/settingsFile.mjs'
import { root } from '../scripts/toolchain.mjs'

const settings = (env?: string) => unstable_readConfig({ config: join(root, 'wrangler.toml'), env })
const production = settings()
const staging = settings('staging')

test.each([undefined, 'staging'])('our scripts read wrangler.toml as wrangler does: %s', (env) => {
  // Wrangler adds what is empty or its default, and completes the path.
  expect({ ...settings(env), main: 'worker/index.ts' }).toMatchObject(readSettings(root, env))
})

test('the staging installation has every variable and binding of the real one', () => {
  expect(Object.keys(staging.vars)).toEqual(Object.keys(production.vars))
  expect(staging.secrets).toEqual(production.secrets)
  const bindings = ({ d1_databases, r2_buckets, durable_objects, ratelimits }: typeof production) => [
    ...[...d1_databases, ...r2_buckets].map(({ binding }) => binding),
    ...[...durable_objects.bindings, ...ratelimits].map(({ name }) => name),
  ]
  expect(bindings(staging)).toEqual(bindings(production))
})

test('the staging installation shares nothing with the real one, is closed like it, and mails nobody', () => {
  const own = ({ name, routes, d1_databases, r2_buckets, ratelimits, vars }: typeof production) => [
    name,
    ...(routes ?? []).map((route: { pattern: string }) => route.pattern),
    ...d1_databases.map((database: { database_name: string }) => database.database_name),
    ...r2_buckets.map((bucket: { bucket_name: string }) => bucket.bucket_name),
    ...ratelimits.map((limit: { namespace_id: string }) => limit.namespace_id),
    vars.PUBLIC_ORIGIN,
  ]
  expect(own(staging).filter((value) => own(production).includes(value))).toEqual([])
  expect(staging).toMatchObject({ workers_dev: false, preview_urls: false, send_email: [] })
  expect(staging).toMatchObject({
    triggers: production.triggers,
    placement: production.placement,
    minify: true,
  })
})
