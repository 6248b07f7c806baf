import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFixture } from '../../test/support/backup/fixture.ts'
import { memoryBucket } from '../../test/support/backup/memoryBucket.ts'
import { root } from '../toolchain.mjs'
import { differences } from './manifest.ts'
import { sqlitePlace, wranglerPlace } from './place.ts'
import { openBackup } from './read.ts'
import { restoreBackup } from './restore.ts'
import { UNENCRYPTED, writeBackup } from './write.ts'

const scratch = mkdtempSync(join(tmpdir(), 'evenkeel-wrangler-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A copy of the project with all migrations in one file, which takes a tenth of the time. */
function project(): string {
  mkdirSync(join(scratch, 'migrations'))
  cpSync(join(root, 'wrangler.toml'), join(scratch, 'wrangler.toml'))
  const migrations = readdirSync(join(root, 'migrations')).sort()
  const together = migrations.map((name) => readFileSync(join(root, 'migrations', name), 'utf8')).join('\n')
  writeFileSync(join(scratch, 'migrations/0001_all.sql'), together)
  return scratch
}

it('the commands that reach the deployed database restore and back up the same, tried on a local one', async () => {
  const source = join(scratch, 'source.sqlite')
  const files = memoryBucket()
  await makeFixture(source, files)
  const first = join(scratch, 'first')
  const { manifest } = await writeBackup(
    { ...sqlitePlace('source', files, () => source), migrate: async () => undefined },
    first,
    UNENCRYPTED,
  )
  const place = await wranglerPlace({ where: '--local', project: project() })
  try {
    await restoreBackup(place, await openBackup(first))
    const second = await writeBackup(place, join(scratch, 'second'), UNENCRYPTED)
    expect(differences(manifest, second.manifest)).toEqual([])
    expect(second.manifest.files).toEqual(manifest.files)
    expect(second.manifest.migrations).toEqual(['0001_all.sql'])
  } finally {
    await place.close()
  }
}, 300_000)
