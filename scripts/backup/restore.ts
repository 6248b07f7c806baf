import type { DatabaseSync } from 'node:sqlite'
import type { ErasureList } from './erased.ts'
import { listDifferences, type Manifest, readFigures } from './manifest.ts'
import { type Place, withSnapshot } from './place.ts'
import { type Backup, checkBackup } from './read.ts'
import { planErasures } from './repeatErasures.ts'
import { readTriggers, replay, wrapWithoutEventTriggers } from './replay.ts'
import { toSqlLiteral } from './rows.ts'
import { createFreshDatabase, readTables } from './tables.ts'

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
 * place that is not empty, before it changes anything. Repeats the erasures in `erased`, a list newer than the backup. Until
 * `endRestore`, a failing self-check "restore" marks the database: D1 commits each statement, so an interruption may leave a
 * part, or everything with its operators and erased people. Such a place is refused, unless only files were copied.
 *
 * @returns the restored database's figures, and notes for the operator
 */
export async function restoreBackup(
  place: Place,
  backup: Backup,
  { erased, nowMs = Date.now() }: { erased?: ErasureList; nowMs?: number } = {},
) {
  const { manifest } = backup
  refuse('This backup is not as it was written:', await checkBackup(backup))
  await place.migrate()
  await withSnapshot(place, async (database) => {
    const { made } = await checkTarget(backup, database, await place.files.keys())
    await place.execute([mark(backup, nowMs)])
    for (const [index, file] of manifest.files.entries())
      await place.files.put(file, await backup.file(index))
    await place.execute(
      wrapWithoutEventTriggers(readTriggers(database), replay(backup, readTables(database), made)),
    )
  })
  return withSnapshot(place, async (database) => {
    const figures = await readFigures(database)
    refuse('What was restored is not what the backup holds:', [
      ...listDifferences(manifest, figures),
      ...(await listChangedFiles(place, manifest)),
    ])
    return { figures, notes: erased === undefined ? [] : await applyErasures(place, database, erased, nowMs) }
  })
}

/** Removes the mark of an unfinished restore. Call it when the erasures are repeated and the operators are shut out. */
export async function endRestore(place: Pick<Place, 'execute'>): Promise<void> {
  await place.execute(["DELETE FROM self_checks WHERE name = 'restore'"])
}

/** Marks the database as one whose restore is not finished. The console, mails and the launch check show the finding. */
function mark({ manifest, sha256 }: Backup, nowMs: number): string {
  const finding = `The restore of the backup of ${manifest.madeAt} is not finished: this database must not be used`
  const values = ['restore', sha256, 0, finding, nowMs].map(toSqlLiteral).join(', ')
  return `INSERT INTO self_checks (name, checkpoint, ok, finding, at) VALUES (${values})
    ON CONFLICT (name) DO UPDATE SET checkpoint = excluded.checkpoint, finding = excluded.finding, at = excluded.at`
}

/** Refuses another software version, a place that is not empty, and what an interrupted restore left in the database. */
async function checkTarget({ manifest, sha256 }: Backup, database: DatabaseSync, keys: readonly string[]) {
  const found = await readFigures(database)
  const fresh = await readFigures(createFreshDatabase())
  const made = new Set(fresh.tables.filter(({ rows }) => rows > 0).map(({ name }) => name))
  const begun = database.prepare("SELECT checkpoint FROM self_checks WHERE name = 'restore'").get()
  if (begun !== undefined && listDifferences(fresh, found).length > 0)
    refuse('A restore into this place was interrupted:', [
      'Begin again with a new database and a new bucket.',
    ])
  if (found.schemaHash !== manifest.schemaHash)
    refuse(
      `The backup was made by another version (${manifest.version ?? 'unknown'}), up to ${manifest.migrations.at(-1)}:`,
      ['Restore it with that version, into a new place, then deploy this one on top.'],
    )
  // An interrupted restore of the same backup may have copied some of its files.
  const own = new Set(begun?.checkpoint === sha256 ? manifest.files.map(({ key }) => key) : [])
  const hasOtherFiles = keys.some((key) => !own.has(key))
  refuse('The place is not empty:', [
    ...found.tables
      .filter(({ name, sha256 }) => sha256 !== fresh.tables.find((table) => table.name === name)?.sha256)
      .map(({ name, rows }) => `Table ${name} has ${rows} rows.`),
    ...(hasOtherFiles ? ['The bucket has files.'] : []),
  ])
  return { made }
}

async function listChangedFiles(place: Place, manifest: Manifest): Promise<string[]> {
  const findings: string[] = []
  for (const file of manifest.files) {
    const found = await place.files.get(file.key)
    if (found === null) findings.push(`File ${file.key} is not there.`)
    else if (JSON.stringify(found.file) !== JSON.stringify(file)) findings.push(`File ${file.key} differs.`)
  }
  return findings
}

async function applyErasures(
  place: Place,
  database: DatabaseSync,
  erased: ErasureList,
  nowMs: number,
): Promise<readonly string[]> {
  const { statements, files, notes } = planErasures(database, erased, nowMs)
  if (statements.length > 0) await place.execute(wrapWithoutEventTriggers(readTriggers(database), statements))
  for (const key of files) await place.files.delete(key)
  return notes
}

function refuse(reason: string, findings: readonly string[]): void {
  if (findings.length > 0) throw new RestoreFailed(reason, findings)
}
