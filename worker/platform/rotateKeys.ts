import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { DAY_MS } from '../../src/time.ts'
import { openVault, type Vault } from '../lib/crypto/vault.ts'
import { type Database, parseStored } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import { CONTENT_CONTEXT } from '../lib/mail/outbox.ts'
import { selfChecks } from '../lib/tables/platform.ts'

/** The most values of each kind that one run re-encrypts. */
const PAGE = 500

/**
 * A kind of value encrypted under `VAULT_KEYS`. New kinds join this list. `version` is an indexed expression over a row with
 * such a value, `context` is the data that the value is bound to.
 */
interface SealedColumn {
  readonly name: string
  readonly table: string
  readonly id: string
  readonly column: string
  readonly version: string
  readonly where: string
  readonly context: string
  /** Further assignments in the update; `?2` is the newest version. */
  readonly also: string
  readonly renew: (vault: Vault, sealed: string, context: string) => Promise<string>
}

const SEALED: readonly SealedColumn[] = [
  {
    name: 'documents',
    table: 'kyc_submissions',
    id: 'id',
    column: 'wrapped_key',
    version: 'key_version',
    where: 'wrapped_key IS NOT NULL',
    context: "user_id || ':' || file_key",
    also: ', key_version = ?2',
    renew: (vault, sealed, context) => vault.renewKey(sealed, context),
  },
  {
    name: 'secondFactors',
    table: 'second_factors',
    id: 'user_id',
    column: 'secret_sealed',
    version: 'CAST(secret_sealed AS INTEGER)',
    where: '1',
    context: "'totp:' || user_id",
    also: '',
    renew: (vault, sealed, context) => vault.renewSmall(sealed, context),
  },
  {
    name: 'taxDetails',
    table: 'tax_details',
    id: 'investor',
    column: 'sealed',
    version: 'CAST(sealed AS INTEGER)',
    where: '1',
    context: "'tax:' || investor",
    also: '',
    renew: (vault, sealed, context) => vault.renewSmall(sealed, context),
  },
  {
    name: 'mails',
    table: 'outbox',
    id: 'id',
    column: 'sealed',
    version: 'CAST(sealed AS INTEGER)',
    // Waiting mails are few and indexed; sent mails have no content left.
    where: 'sealed IS NOT NULL AND next_attempt_at IS NOT NULL',
    context: CONTENT_CONTEXT,
    also: '',
    renew: (vault, sealed, context) => vault.renewSmall(sealed, context),
  },
]

/** The state that `npm run rotate-keys` shows, stored as a self-check's checkpoint. */
const storedCheckpoint = z.object({
  newest: z.number(),
  versions: z.array(z.number()),
  /** When the newest version was first seen: links in earlier mails are signed under an older one. */
  sinceMs: z.number(),
})

const CHECK = 'wrappingKeys'

/**
 * Re-encrypts values from older versions of `VAULT_KEYS` to the newest: one page of each kind a run, each minute, until none is
 * left. A value is replaced only if it is unchanged since it was read, so simultaneous runs, crashes, edits and shredding are
 * safe. Records the state in `self_checks`, and raises an alarm for a value that does not open or whose version is missing.
 */
export async function rotateKeys(env: Env, db: Database, nowMs: number, page = PAGE): Promise<void> {
  const vault = openVault(env.VAULT_KEYS)
  let renewed = 0
  const findings: string[] = []
  for (const kind of SEALED) {
    const result = await rotatePage(db, vault, kind, page)
    renewed += result.renewed
    if (result.failed > 0) findings.push(`${result.failed} of the ${kind.name} do not open`)
  }
  const [last] = await db.select().from(selfChecks).where(eq(selfChecks.name, CHECK))
  const before = last === undefined ? null : parseStored(storedCheckpoint, last.checkpoint)
  const changed = before?.newest !== vault.newest || String(before.versions) !== String(vault.versions)
  const isDue = last === undefined || !last.ok || nowMs - last.at >= DAY_MS
  if (renewed === 0 && findings.length === 0 && !changed && !isDue) return
  findings.push(...(await findMissing(db, vault)))
  const finding = findings.length > 0 ? findings.join('. ') : null
  if (finding !== null) console.error(JSON.stringify({ level: 'alarm', selfCheck: CHECK, finding }))
  const checkpoint: z.output<typeof storedCheckpoint> = {
    newest: vault.newest,
    versions: [...vault.versions],
    sinceMs: before?.newest === vault.newest ? before.sinceMs : nowMs,
  }
  const row = { checkpoint: JSON.stringify(checkpoint), ok: finding === null, finding, at: nowMs }
  await db
    .insert(selfChecks)
    .values({ name: CHECK, ...row })
    .onConflictDoUpdate({ target: selfChecks.name, set: row })
}

interface Row {
  readonly id: string
  readonly sealed: string
  readonly context: string
}

async function rotatePage(db: Database, vault: Vault, kind: SealedColumn, page: number) {
  const older = vault.versions.filter((version) => version < vault.newest)
  if (older.length === 0) return { renewed: 0, failed: 0 }
  const { results } = await db.$client
    .prepare(
      `SELECT ${kind.id} AS id, ${kind.column} AS sealed, ${kind.context} AS context FROM ${kind.table}
       WHERE ${kind.where} AND ${kind.version} IN (${older.join(', ')}) LIMIT ?1`,
    )
    .bind(page)
    .all<Row>()
  const opened = await Promise.all(
    results.map(async ({ id, sealed, context }) => ({
      id,
      sealed,
      // A tampered value must not block the others.
      renewed: await kind.renew(vault, sealed, context).catch(() => null),
    })),
  )
  const changes = opened.filter(({ renewed }) => renewed !== null)
  if (changes.length > 0) {
    await db.$client
      .prepare(
        `UPDATE ${kind.table} SET ${kind.column} = j.value ->> 'renewed'${kind.also} FROM json_each(?1) j
         WHERE ${kind.table}.${kind.id} = j.value ->> 'id' AND ${kind.table}.${kind.column} = j.value ->> 'sealed'`,
      )
      .bind(JSON.stringify(changes), ...(kind.also === '' ? [] : [vault.newest]))
      .run()
  }
  return { renewed: changes.length, failed: results.length - changes.length }
}

/** Values under a version that was removed from VAULT_KEYS too early. */
async function findMissing(db: Database, vault: Vault): Promise<string[]> {
  const findings: string[] = []
  for (const { name, table, version, where } of SEALED) {
    const { results } = await db.$client
      .prepare(
        `SELECT ${version} AS version, count(*) AS count FROM ${table}
         WHERE ${where} AND ${version} NOT IN (${vault.versions.join(', ')}) GROUP BY 1`,
      )
      .all<{ version: number; count: number }>()
    for (const missing of results)
      findings.push(
        `${missing.count} of the ${name} stand under version ${missing.version}, which VAULT_KEYS lacks`,
      )
  }
  return findings
}
