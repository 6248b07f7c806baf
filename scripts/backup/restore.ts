import { type Erased, erasing } from './erased.ts'
import { differences, type Figures, figuresOf, type Manifest } from './manifest.ts'
import { type Place, withSnapshot } from './place.ts'
import { type Backup, checkBackup } from './read.ts'
import { replay, triggersOf, withoutEventTriggers } from './replay.ts'
import { freshDatabase, tablesOf } from './tables.ts'

/** The restore was refused before it began, or its result is wrong. */
export class RestoreFailed extends Error {
  readonly findings: readonly string[]

  constructor(reason: string, findings: readonly string[]) {
    super([reason, ...findings.map((finding) => `  - ${finding}`)].join('\n'))
    this.findings = findings
  }
}

/**
 * Restores a backup into an empty place and compares the result with the manifest. Refuses a backup that was tampered with and a
 * place that is not empty, before it changes anything. Repeats the erasures in `erased`, a list newer than the backup.
 *
 * @returns the restored database's figures, and notes for the operator
 */
export async function restoreBackup(
  place: Place,
  backup: Backup,
  { erased, nowMs = Date.now() }: { erased?: Erased; nowMs?: number } = {},
) {
  const { manifest } = backup
  refuse('This backup is not as it was written:', await checkBackup(backup))
  await place.migrate()
  await withSnapshot(place, async (database) => {
    const { made } = await readyFor(manifest, await figuresOf(database), await place.files.isEmpty())
    for (const [index, file] of manifest.files.entries())
      await place.files.put(file, await backup.file(index))
    await place.execute(withoutEventTriggers(triggersOf(database), replay(backup, tablesOf(database), made)))
  })
  const figures = await withSnapshot(place, async (database) => {
    const found = await figuresOf(database)
    refuse('What was restored is not what the backup holds:', [
      ...differences(manifest, found),
      ...(await changedFiles(place, manifest)),
    ])
    return found
  })
  return { figures, notes: erased === undefined ? [] : await eraseAgain(place, erased, nowMs) }
}

/** Refuses another software version and a place that is not empty. */
async function readyFor(manifest: Manifest, found: Figures, hasNoFiles: boolean) {
  const fresh = await figuresOf(freshDatabase())
  const made = new Set(fresh.tables.filter(({ rows }) => rows > 0).map(({ name }) => name))
  if (found.schemaHash !== manifest.schemaHash)
    refuse(
      `The backup was made by another version (${manifest.version ?? 'unknown'}), up to ${manifest.migrations.at(-1)}:`,
      ['Restore it with that version, into a new place, then deploy this one on top.'],
    )
  refuse('The place is not empty:', [
    ...found.tables
      .filter(({ name, sha256 }) => sha256 !== fresh.tables.find((table) => table.name === name)?.sha256)
      .map(({ name, rows }) => `Table ${name} has ${rows} rows.`),
    ...(hasNoFiles ? [] : ['The bucket has files.']),
  ])
  return { made }
}

async function changedFiles(place: Place, manifest: Manifest): Promise<string[]> {
  const findings: string[] = []
  for (const file of manifest.files) {
    const found = await place.files.get(file.key)
    if (found === null) findings.push(`File ${file.key} is not there.`)
    else if (JSON.stringify(found.file) !== JSON.stringify(file)) findings.push(`File ${file.key} differs.`)
  }
  return findings
}

async function eraseAgain(place: Place, erased: Erased, nowMs: number): Promise<readonly string[]> {
  return withSnapshot(place, async (database) => {
    const { statements, files, notes } = erasing(database, erased, nowMs)
    if (statements.length > 0) await place.execute(withoutEventTriggers(triggersOf(database), statements))
    for (const key of files) await place.files.delete(key)
    return notes
  })
}

function refuse(reason: string, findings: readonly string[]): void {
  if (findings.length > 0) throw new RestoreFailed(reason, findings)
}
