import { and, desc, eq, getTableColumns, lt, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import type * as contract from '../../../src/contract/money/destinations.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import type { AuditEntry } from '../../http/audit.ts'
import { type ActorCall, type Answer, type CallOf, created, noContent, ok } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { hashContext } from '../../identity/factors/challenges.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { parseStored, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { isConstraintError, refuse, refuseField } from '../../lib/errors.ts'
import { destinationLocks, savedAddresses } from '../../lib/tables/requests.ts'
import { computeUsableFrom, isLockOn } from '../destinationLock/lock.ts'
import { buildWalletDestination } from '../withdrawals/destination.ts'
import {
  assertMayTry,
  buildProofReads,
  isProofGiven,
  type ProofFields,
  parseProofRows,
  readProofSubject,
} from '../withdrawals/facts.ts'
import { selectProvedAt } from '../withdrawals/ownerProofs.ts'
import { checkSentProof, requestProof } from '../withdrawals/proof.ts'
import { buildChangedMail, buildCodeMail, buildPausedPlansMail } from './mails.ts'

/** The actor's saved addresses, newest first. */
export async function listAddresses(
  call: CallOf<typeof contract.listAddresses>,
): Promise<Answer<SavedAddress[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const { createdAt, seq, investor } = savedAddresses
  const rows = await call.db
    .select({
      ...getTableColumns(savedAddresses),
      onSince: destinationLocks.onSince,
      provedAt: selectProvedAt(savedAddresses.investor, savedAddresses.destinationHash),
      planIds: PAYING_PLANS,
    })
    .from(savedAddresses)
    .leftJoin(destinationLocks, sql`${destinationLocks.investor} = ${investor} AND ${isLockOn(call.nowMs)}`)
    .where(
      and(
        eq(investor, call.actor.id),
        after === null
          ? undefined
          : or(lt(createdAt, after.at), and(eq(createdAt, after.at), lt(seq, after.seq))),
      ),
    )
    .orderBy(desc(createdAt), desc(seq))
    .limit(limit + 1)
  const page = takePage(call, rows, limit, (row) => ({ at: row.createdAt, seq: row.seq }))
  return ok(
    page.rows.map((row) => toSavedAddress(row, call.nowMs)),
    page.headers,
  )
}

/**
 * Saves an address under a name, validated like a withdrawal to it, with the proof of a withdrawal and a mail: a stolen session
 * must not choose whom the owner pays. Refuses `address_saved` if it is already saved. The first withdrawal to a saved address
 * still counts as one to a new destination.
 */
export async function saveAddress(call: CallOf<typeof contract.saveAddress>): Promise<Answer<SavedAddress>> {
  const { actor, body, db, nowMs } = call
  const { label, network, address } = body
  const destination = await buildWalletDestination(body)
  if (Object.keys(destination.problems).length > 0) refuseFields(destination.problems)
  const row = {
    id: newId(),
    investor: actor.id,
    label,
    network,
    address,
    destinationHash: destination.hash,
    createdAt: nowMs,
    provedAt: null,
  }
  const onSince = await commitEntry(call, row, {
    isNew: true,
    statement: db.insert(savedAddresses).values(row),
    audit: { action: 'address.saved', subject: row.id },
  })
  return created(toSavedAddress({ ...row, onSince }, nowMs))
}

/** Renames a saved address, with the same proof: the name decides which address its owner chooses. */
export async function renameAddress(
  call: CallOf<typeof contract.renameAddress>,
  row: SavedAddressRow,
): Promise<Answer<SavedAddress>> {
  const { label } = call.body
  const onSince = await commitEntry(
    call,
    { ...row, label },
    {
      isNew: false,
      statement: call.db.update(savedAddresses).set({ label }).where(eq(savedAddresses.id, row.id)),
      audit: { action: 'address.renamed', subject: row.id },
    },
  )
  return ok(toSavedAddress({ ...row, label, onSince }, call.nowMs))
}

interface EntryChange {
  readonly isNew: boolean
  readonly statement: Statement
  readonly audit: AuditEntry
}

/**
 * Commits a new or renamed entry with its proof, which is bound to this address and name. Refuses a used name, a saved address and a
 * full address book before it asks for the proof. The database refuses them again. Returns since when the lock is on, or null.
 */
async function commitEntry(
  call: ActorCall & { readonly body: ProofFields },
  entry: Omit<SavedAddressRow, 'seq'>,
  { isNew, statement, audit }: EntryChange,
): Promise<number | null> {
  const { db, env, actor, nowMs, body } = call
  const { label } = entry
  const change = await hashContext('address book', isNew ? 'save' : 'rename', label, entry.destinationHash)
  const bound = { investor: actor.id, amountCents: 0, destinationHash: change }
  const subject = await readProofSubject(bound, body)
  const [[book], ...proofRows] = await readTogether(
    db,
    readBook(entry, nowMs),
    ...buildProofReads(env, subject, nowMs),
  )
  const facts = parseProofRows(proofRows)
  assertMayTry(facts.tries, nowMs)
  if (book?.hasLabel === 1) refuseLabel()
  if (isNew && book?.hasAddress === 1) refuse('address_saved')
  if (isNew && (book?.entries ?? 0) >= MAX_ENTRIES) refuse('too_many_addresses')
  if (!isProofGiven(subject))
    return requestProof(call, subject, facts, {
      reasons: ['address_book'],
      mailOf: (code) => buildCodeMail(actor, entry, code),
      audit: { action: 'address.code_mailed', subject: actor.id },
    })
  const { spend } = await checkSentProof(call, subject, facts)
  const mail = await buildChangedMail(env, actor, entry, isNew, nowMs)
  try {
    await call.commit({ statements: [...spend, statement], audit: [audit], mails: [mail] })
  } catch (error) {
    if (isConstraintError(error, 'UNIQUE', 'saved_addresses.label')) refuseLabel()
    throw error
  }
  return book?.onSince ?? null
}

const MAX_ENTRIES = 50

function readBook({ id, investor, label, destinationHash }: Omit<SavedAddressRow, 'seq'>, nowMs: number) {
  return selectRows({
    entries: sql<number>`count(*)`,
    hasLabel: sql<0 | 1>`coalesce(max(label = ${label}), 0)`,
    onSince: sql<
      number | null
    >`(SELECT on_since FROM destination_locks WHERE investor = ${investor} AND ${isLockOn(nowMs)})`,
    hasAddress: sql<0 | 1>`coalesce(max(destination_hash = ${destinationHash}), 0)`,
  })
    .from(savedAddresses)
    .where(sql`investor = ${investor} AND id <> ${id}`)
}

function refuseLabel(): never {
  refuseField('label', 'You already use this name for another address')
}

/**
 * Deletes a saved address, and pauses the plans that pay to it. Its destination stays known, and filed withdrawals are unaffected. A
 * plan that is made at this moment finds on its date that the address is gone.
 */
export async function deleteAddress(
  call: ActorCall,
  row: Awaited<ReturnType<typeof loadOwnAddress>>,
): Promise<Answer<undefined>> {
  const { db, env, actor, nowMs } = call
  const paused = parsePlanIds(row.planIds)
  const reason = 'address_deleted'
  await call.commit({
    statements: [
      sql`UPDATE plans SET status = 'paused', reason = ${reason}, status_at = ${nowMs} FROM saved_addresses
        WHERE saved_addresses.id = ${row.id} AND ${PAYS_TO_IT}`,
      db.delete(savedAddresses).where(eq(savedAddresses.id, row.id)),
    ],
    audit: [
      { action: 'address.deleted', subject: row.id },
      ...paused.map((id) => ({ action: 'plan.paused' as const, subject: id, detail: { reason } })),
    ],
    mails: paused.length === 0 ? [] : [buildPausedPlansMail(env, actor, row, paused.length)],
  })
  return noContent()
}

/** SQL: whether an active plan pays to the saved address. */
const PAYS_TO_IT = sql.raw(`plans.investor = saved_addresses.investor AND plans.status = 'active'
  AND json_extract(plans.destination, '$.destination.hash') = saved_addresses.destination_hash`)
const PAYING_PLANS = sql<string>`(SELECT json_group_array(plans.id) FROM plans WHERE ${PAYS_TO_IT})`

function parsePlanIds(json: string): readonly string[] {
  return parseStored(z.array(z.string()), json)
}

export type SavedAddressRow = typeof savedAddresses.$inferSelect & { readonly provedAt: number | null }

/** A saved address as the API answers it. */
export function toSavedAddress(
  row: Omit<SavedAddressRow, 'seq'> & { readonly onSince: number | null; readonly planIds?: string },
  nowMs: number,
): SavedAddress {
  const { onSince, createdAt: savedAt } = row
  const plans = parsePlanIds(row.planIds ?? '[]')
  const usableFrom = onSince === null ? null : computeUsableFrom({ onSince, savedAt })
  return {
    _id: row.id,
    label: row.label,
    type: getCoinOfNetwork(row.network),
    network: row.network,
    address: row.address,
    createdAt: toIso(row.createdAt),
    ...(usableFrom !== null && usableFrom > nowMs && { usableFrom: toIso(usableFrom) }),
    ...(row.provedAt !== null && { provedAt: toIso(row.provedAt) }),
    ...(plans.length > 0 && { plans: plans.length }),
  }
}

/** Loads the actor's saved address `:id`. Refuses `not_found`. */
export async function loadOwnAddress({ db, actor, params }: ActorCall) {
  const [row] = await db
    .select({
      ...getTableColumns(savedAddresses),
      planIds: PAYING_PLANS,
      provedAt: selectProvedAt(savedAddresses.investor, savedAddresses.destinationHash),
    })
    .from(savedAddresses)
    .where(and(eq(savedAddresses.id, params.id ?? ''), eq(savedAddresses.investor, actor.id)))
  return row ?? refuse('not_found')
}
