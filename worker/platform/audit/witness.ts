import { desc, eq } from 'drizzle-orm'
import { site } from '../../../src/site.ts'
import { toIso } from '../../http/paging.ts'
import { type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { isConstraintError } from '../../lib/errors.ts'
import { buildLink, composeMail } from '../../lib/mail/compose.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { auditBlocks, witnessedHeads } from '../../lib/tables/platform.ts'

/** The newest seal of the audit log; it covers every line up to `lastSeq`. */
type Head = Pick<typeof auditBlocks.$inferSelect, 'lastSeq' | 'hash' | 'sealedAt'>

/**
 * Mails the head of the audit log to `AUDIT_WITNESS_ADDRESS` once a day (UTC). An attacker with full rights here can rewrite
 * the log and its seals, but cannot take back that mail. The day is a key in the batch of the mail, so two simultaneous runs
 * send one. It is sent on days without new lines too, so a missing mail is a warning.
 */
export async function mailAuditHead(env: Env, db: Database, nowMs: number): Promise<void> {
  const to = env.AUDIT_WITNESS_ADDRESS
  if (!to) return
  const day = toIso(nowMs).slice(0, 10)
  const [[sent], [head]] = await readTogether(
    db,
    selectRows({ day: witnessedHeads.day }).from(witnessedHeads).where(eq(witnessedHeads.day, day)),
    selectRows({ lastSeq: auditBlocks.lastSeq, hash: auditBlocks.hash, sealedAt: auditBlocks.sealedAt })
      .from(auditBlocks)
      .orderBy(desc(auditBlocks.seq))
      .limit(1),
  )
  if (sent !== undefined || head === undefined) return
  const { lastSeq, hash } = head
  try {
    await runBatch(db, [
      db.insert(witnessedHeads).values({ day, lastSeq, hash, at: nowMs }),
      ...(await enqueueMail(env, buildHeadMail(env, to, day, head), nowMs)),
    ])
  } catch (error) {
    // Another run was first.
    if (!isConstraintError(error, 'UNIQUE', 'witnessed_heads.day')) throw error
  }
}

function buildHeadMail(env: Env, to: string, day: string, { lastSeq, hash, sealedAt }: Head): Mail {
  return composeMail(to, `Head of the audit log of ${site.brand}, ${day}`, 'witness', [
    'Keep this mail where no operator of the platform can delete it. It proves the audit log up to this line.',
    `Line: ${lastSeq}`,
    `Hash: ${hash}`,
    `Sealed at: ${toIso(sealedAt)}`,
    'To compare, an operator who may read the audit log opens this link, or calls GET /api/v1/operator/audit-log/verify with seq and hash. The answer must say "head": true, and "ok": true on every page.',
    {
      label: 'Compare with the audit log',
      href: buildLink(env, '/operator/audit-log', { seq: String(lastSeq), hash }),
    },
    'If the head is not found, somebody changed lines after this mail was sent. If no mail comes for a day, the platform is down or somebody stops it from sending.',
  ])
}
