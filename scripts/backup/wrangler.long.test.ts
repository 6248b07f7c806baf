import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFixture } from '../../test/support/backup/fixture.ts'
import { memoryBucket } from '../../test/support/backup/memoryBucket.ts'
import { listMigrationNames } from '../migrate.mjs'
import { root } from '../toolchain.mjs'
import { listDifferences } from './manifest.ts'
import { createSqlitePlace, openWranglerPlace } from './place.ts'
import { openBackup } from './read.ts'
import { restoreBackup } from './restore.ts'
import { UNENCRYPTED, writeBackup } from './write.ts'

const scratch = mkdtempSync(join(tmpdir(), 'platform-wrangler-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('the commands that reach the deployed database restore and back up the same, tried on a local one', async () => {
  const source = join(scratch, 'source.sqlite')
  const files = memoryBucket()
  await makeFixture(source, files)
  const first = join(scratch, 'first')
  const { manifest } = await writeBackup(
    { ...createSqlitePlace('source', files, () => source), migrate: async () => undefined },
    first,
    UNENCRYPTED,
  )
  cpSync(join(root, 'wrangler.toml'), join(scratch, 'wrangler.toml'))
  const place = await openWranglerPlace({
    where: '--local',
    project: scratch,
    use: 'write',
    maxFileBytes: 200_000,
  })
  try {
    await restoreBackup(place, await openBackup(first))
    const second = await writeBackup(place, join(scratch, 'second'), UNENCRYPTED)
    expect(listDifferences(manifest, second.manifest)).toEqual([])
    expect(second.manifest.files).toEqual(manifest.files)
    expect(second.manifest.migrations).toEqual(listMigrationNames())
  } finally {
    await place.close()
  }
}, 300_000)
