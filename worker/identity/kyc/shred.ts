import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { recordAudit } from '../../http/audit.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { processItems } from '../../lib/processItems.ts'
import { kycSubmissions as submissions } from '../../lib/tables/kyc.ts'
import { users } from '../../lib/tables/people.ts'

/** The most documents per run. */
const PAGE = 50

/**
 * Shreds the documents of submissions `k` that meet a condition: deletes the wrapped key, so that the file can no longer be decrypted.
 * `deleteShreddedFiles` deletes the file; the row stays. Safe to interrupt and repeat.
 * Throws the first failure, after the other documents.
 * @returns how many were shredded, at most one page
 */
export async function shredDocuments(db: Database, which: SQL, nowMs: number): Promise<number> {
  const [k, u] = [alias(submissions, 'k'), alias(users, 'u')]
  const due = await db
    .select({ id: k.id })
    .from(k)
    .innerJoin(u, eq(u.id, k.userId))
    .where(sql`k.shredded_at IS NULL AND u.frozen_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM silent_freezes WHERE investor = u.id AND ended_at IS NULL) AND ${which}`)
    .limit(PAGE)
  return processItems(db, 2, due, ({ id }) =>
    runBatch(db, [
      sql`UPDATE kyc_submissions SET wrapped_key = NULL, key_version = NULL, shredded_at = ${nowMs}
        WHERE id = ${id} AND shredded_at IS NULL`,
      recordAudit(db, 'system', { action: 'kyc.document_shredded', subject: id }, nowMs),
    ]),
  )
}

/** Deletes the files of shredded documents. Rows are marked after the deletion, so that a failure is retried. */
export async function deleteShreddedFiles(env: Env, db: Database, nowMs: number): Promise<number> {
  const left = await db
    .select({ id: submissions.id, fileKey: submissions.fileKey, replacedFile: submissions.replacedFile })
    .from(submissions)
    .where(and(isNotNull(submissions.shreddedAt), isNull(submissions.fileDeletedAt)))
    .limit(PAGE)
  return processItems(db, 2, left, async ({ id, fileKey, replacedFile }) => {
    await env.FILES.delete(replacedFile === null ? [fileKey] : [fileKey, replacedFile])
    await db.run(sql`UPDATE kyc_submissions SET file_deleted_at = ${nowMs} WHERE id = ${id}`)
  })
}
