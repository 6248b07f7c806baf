import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { listEntry } from '../../../src/contract/console/cases.ts'
import { SHORTEST_EXPLANATION } from '../../../src/contract/console/risk.ts'
import {
  canCompareBirth,
  type clearSanctionsHit,
  listSanctionsHits,
  type SanctionsHit,
} from '../../../src/contract/console/sanctions.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildSeqPage, createQueue } from '../../http/queue.ts'
import { toStep } from '../../http/steps.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { sanctionsHits } from '../../lib/tables/kyc.ts'
import { caseAssignments } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { toInvestor } from '../cases/requests.ts'
import { assertNotAssigned, isAssignedTo, parseWork, selectWork } from '../cases/workState.ts'

export const sanctionsQueue = createQueue(listSanctionsHits, {
  read: async (call, after, rows) => {
    const { status, order, assigned } = call.query
    const { isAfter, by } = buildSeqPage(sql`h.seq`, order, after)
    const isListed = status === undefined ? sql`1` : sql`${HIT_STATUS} = ${status}`
    const where = sql`${isListed} AND ${isAfter} AND ${isAssignedTo(assigned, sql`h.id`, call)}`
    const [hits] = await readTogether(call.db, readHits(where, by, rows))
    return hits
  },
  row: toHitRow,
})

/** SQL condition on a hit `h`: the account was frozen after it was found. */
export const IS_HIT_FROZEN = sql`(
  EXISTS (SELECT 1 FROM users WHERE id = h.investor AND frozen_at >= h.found_at)
  OR EXISTS (SELECT 1 FROM silent_freezes WHERE investor = h.investor AND ended_at IS NULL AND begun_at >= h.found_at))`

const HIT_STATUS = sql<
  SanctionsHit['status']
>`CASE WHEN h.cleared_at IS NOT NULL THEN 'cleared' WHEN ${IS_HIT_FROZEN} THEN 'frozen' ELSE 'open' END`

/** Clears a hit, with the reason, which says more if no date of birth tells the two apart. The identity and the withdrawals that it blocked can then be decided. */
export async function clearHit(call: CallOf<typeof clearSanctionsHit>, hit: Hit) {
  const { db, actor, nowMs, body } = call
  const entries = parseStored(storedEntries, hit.entries)
  if (body.reason.length < SHORTEST_EXPLANATION && !canCompareBirth({ bornOn: hit.bornOn, entries }))
    refuseField(
      'reason',
      `The dates of birth cannot be compared. Please say what else differs, in at least ${SHORTEST_EXPLANATION} characters`,
    )
  if (hit.clearedAt !== null) refuse('already_decided')
  assertNotAssigned(hit, call)
  if (entries.length !== body.entries)
    refuse('conflict', { msg: 'The screening found a further entry. Please compare it, too.' })
  const note = newId()
  // With the entries as they were read: the database refuses if there are more.
  const cleared = { clearedBy: actor.id, clearedAt: nowMs, note, entries: hit.entries }
  return call.commit({
    statements: [
      db.update(sanctionsHits).set(cleared).where(eq(sanctionsHits.id, hit.id)),
      db.delete(caseAssignments).where(eq(caseAssignments.caseId, hit.id)),
      ...addInternalNote(call, hit.investor, 'Possible hit on the sanctions list cleared', body.reason, {
        ...{ id: note, kind: 'suspicion' },
      }),
    ],
    audit: [{ action: 'screening.cleared', subject: hit.id, detail: { note } }],
    answer: ok(
      toHitRow(
        {
          ...hit,
          ...cleared,
          status: 'cleared',
          clearedName: actor.displayName,
          reason: body.reason,
          work: null,
        },
        call,
      ),
    ),
  })
}

export async function loadHit({ db, params }: ActorCall): Promise<Hit> {
  const [[hit]] = await readTogether(db, readHits(sql`h.id = ${params.id ?? ''}`, sql`h.seq`, 1))
  return hit ?? refuse('not_found')
}

type Hit = RowOf<typeof readHits>

function readHits(where: SQL, by: SQL, limit: number) {
  const [h, u, o] = [alias(sanctionsHits, 'h'), alias(users, 'u'), alias(users, 'o')]
  const identity = (column: SQL) => sql<string | null>`(SELECT ${column} FROM kyc_submissions k
    WHERE k.user_id = h.investor AND k.kind = 'identity' AND ${column} IS NOT NULL ORDER BY k.seq DESC LIMIT 1)`
  return selectRows({
    ...getTableColumns(h),
    investorName: u.displayName,
    investorEmail: u.email,
    country: u.country,
    documentName: identity(sql`k.document_name`),
    bornOn: identity(sql`k.born_on`),
    status: HIT_STATUS,
    clearedName: o.displayName,
    reason: sql<string | null>`(SELECT n.text FROM investor_notes n WHERE n.id = h.note)`,
    work: selectWork(sql`iif(h.cleared_at IS NULL, 'sanctions_hit', NULL)`, sql`h.id`, sql`h.found_at`),
  })
    .from(h)
    .innerJoin(u, eq(u.id, h.investor))
    .leftJoin(o, eq(o.id, h.clearedBy))
    .where(where)
    .orderBy(by)
    .limit(limit)
}

function toHitRow(hit: Hit, call: Pick<ActorCall, 'nowMs'>): SanctionsHit {
  const { id, foundAt, clearedAt, clearedBy, clearedName, reason } = hit
  return {
    _id: id,
    investor: toInvestor(hit),
    status: hit.status,
    createdAt: toIso(foundAt),
    entries: parseStored(storedEntries, hit.entries),
    ...{ country: hit.country, documentName: hit.documentName, bornOn: hit.bornOn },
    steps: [
      toStep('found', foundAt, 'system', 'the screening'),
      ...(clearedAt === null ? [] : [toStep('cleared', clearedAt, clearedBy, clearedName, reason)]),
    ],
    ...parseWork(hit, call),
  }
}

const storedEntries = z.array(listEntry)
