import { eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { getCoinSymbol } from '../../../src/contract/console/coinWords.ts'
import * as contract from '../../../src/contract/console/treasury.ts'
import { ENTRY_LABELS, type TreasuryAction } from '../../../src/contract/console/treasuryActs.ts'
import { PDF_TYPE } from '../../../src/contract/uploads.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type CallOf, created } from '../../http/call.ts'
import { createAttachment, withStoredFile } from '../../http/files.ts'
import { toIso } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { assertFactor } from '../../identity/factors/actFactor.ts'
import { ASSETS, type Asset, formatQuantity, parseUnits } from '../../ledger/custody.ts'
import { generateToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import { buildQuery, parseStored, readTogether, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { requests } from '../../lib/tables/requests.ts'
import { placeEntries } from '../../lib/tables/treasury.ts'
import { fileProposal } from '../proposals/proposal.ts'
import { type TreasuryPayload, treasuryPayload } from '../proposals/treasury.ts'

type EntryCause = NonNullable<contract.TreasuryEntry['cause']>

/** The journal of all places, also as a file for the accountant. */
export const entries = createQueue(contract.listEntries, {
  read: async ({ db, query: { place, from, to } }, after, rows) => {
    const [e, r] = [alias(placeEntries, 'e'), alias(requests, 'r')]
    const isMatch = sql`${place === undefined ? sql`1` : sql`e.place = ${place}`}
      AND e.at >= ${from ?? 0} AND e.at <= ${Math.min(to ?? Number.MAX_SAFE_INTEGER, after?.at ?? Number.MAX_SAFE_INTEGER)}
      AND ${after === null ? sql`1` : sql`(e.at < ${after.at} OR e.seq < ${after.seq})`}`
    const [found] = await readTogether(
      db,
      selectRows({
        ...getTableColumns(e),
        quantity: sql<string>`CAST(e.quantity AS TEXT)`,
        balance: sql<string>`CAST(e.balance AS TEXT)`,
        ...{ name: sql<string>`l.name`, asset: sql<Asset>`l.asset` },
        reference: r.ref,
        kind: sql<
          EntryCause['kind'] | null
        >`CASE WHEN r.id IS NOT NULL THEN iif(r.queue = 'deposits', 'deposit', 'withdrawal')
          WHEN EXISTS (SELECT 1 FROM proposals WHERE id = e.ref) THEN 'proposal' WHEN EXISTS (SELECT 1 FROM payouts WHERE id = e.ref) THEN 'payout'
          WHEN e.code = 'kept' THEN 'payment' END`,
      })
        .from(e)
        .innerJoin(sql`custody_places l`, sql`l.id = e.place`)
        .leftJoin(r, eq(r.id, e.ref))
        .where(isMatch)
        .orderBy(sql`e.at DESC, e.seq DESC`)
        .limit(rows),
    )
    return found
  },
  position: ({ at, seq }) => ({ at, seq }),
  row: ({ seq, at, place, name, asset, quantity, balance, code, ref, kind, reference }) => ({
    _id: String(seq),
    createdAt: toIso(at),
    place: { _id: place, name },
    asset,
    quantity: formatQuantity(asset, BigInt(quantity)),
    balance: formatQuantity(asset, BigInt(balance)),
    code,
    ref,
    cause: kind === null ? null : { kind, _id: ref, reference },
  }),
  file: {
    name: 'treasury',
    columns: {
      Number: ({ seq }) => String(seq),
      'Time (UTC)': ({ at }) => toIso(at),
      Place: ({ name }) => name,
      Asset: ({ asset }) => getCoinSymbol(asset),
      Entry: ({ code }) => ENTRY_LABELS[code],
      In: ({ asset, quantity }) => (quantity.startsWith('-') ? '' : formatQuantity(asset, BigInt(quantity))),
      Out: ({ asset, quantity }) =>
        quantity.startsWith('-') ? formatQuantity(asset, -BigInt(quantity)) : '',
      Balance: ({ asset, balance }) => formatQuantity(asset, BigInt(balance)),
      Cause: ({ ref, reference }) => reference ?? ref,
    },
  },
})

/** The sides that each action has. */
const SIDES: Readonly<Record<TreasuryAction, readonly ('from' | 'to')[]>> = {
  conversion: ['from', 'to'],
  fee: ['from'],
  funding: ['to'],
  drawing: ['from'],
  move: ['from', 'to'],
  statement: ['to'],
  place: [],
}

/** Proposes an entry with its document. Another treasurer has to approve it. */
export async function proposeEntry(call: CallOf<typeof contract.proposeEntry>) {
  const { image } = call.pictures
  const file = image ?? (call.pdfs.image && { type: PDF_TYPE, bytes: call.pdfs.image })
  if (file === undefined) return refuse('bad_request')
  const document = {
    key: `treasury/${generateToken()}`,
    type: file.type,
    hash: await sha256Hex(file.bytes),
  }
  const payload = { ...(await parseAct(call)), document }
  // Before the file is stored.
  await assertFactor(call, {})
  return withStoredFile(call, document.key, file.bytes, file.type, () =>
    fileProposal(call, { kind: 'treasury', reason: call.body.reason, payload }, created),
  )
}

async function parseAct({ db, body, nowMs }: CallOf<typeof contract.proposeEntry>) {
  const { action, day, name, placeKind, asset } = body
  const [places] = await readTogether(
    db,
    buildQuery<{ id: string; name: string; asset: Asset }>(sql`SELECT id, name, asset FROM custody_places`),
  )
  const parseSide = (field: 'from' | 'to') => {
    const place = places.find(({ id }) => id === body[field])
    if (place === undefined) return refuseField(field, 'Please choose the place')
    const units = parseWholeUnits(place.asset, body[`${field}Quantity`] ?? '', action === 'statement')
    if (units === null)
      return refuseField(`${field}Quantity`, `Please give a quantity of ${place.asset}, such as 1500 or 0.25`)
    return { place: place.id, name: place.name, asset: place.asset, units }
  }
  const act: Omit<TreasuryPayload, 'document'> = {
    action,
    ...Object.fromEntries(SIDES[action].map((field) => [field, parseSide(field)])),
  }
  const { from, to } = act
  if (
    action === 'move' &&
    (from?.asset !== to?.asset || from?.units !== to?.units || from?.place === to?.place)
  )
    refuseField('to', 'A move keeps asset and quantity, and leads to another place')
  if (action === 'conversion' && from?.asset === to?.asset)
    refuseField('to', 'A conversion leads to another asset')
  if (action === 'statement') return { ...act, at: parseDayEnd(day, nowMs) }
  if (action !== 'place') return act
  const known = ASSETS.find((candidate) => candidate === asset)
  if (name === undefined) return refuseField('name', 'Please name the place')
  if (placeKind === undefined) return refuseField('placeKind', 'Please choose the kind of place')
  if (known === undefined) return refuseField('asset', 'Please choose the asset')
  return { ...act, name, placeKind, asset: known }
}

/** A decimal without more decimals than the asset has; null if it is none, too large, or zero where that is not allowed. */
function parseWholeUnits(asset: Asset, text: string, mayBeZero: boolean): number | null {
  if (!/^\d{1,12}(?:\.\d{1,9})?$/.test(text)) return null
  if (mayBeZero && /^[0.]+$/.test(text)) return 0
  const units = parseUnits(asset, text)
  if (units === null || units > Number.MAX_SAFE_INTEGER) return null
  // A finer quantity would be cut.
  return Number(formatQuantity(asset, units)) === Number(text) ? Number(units) : null
}

/** The last moment of a day that is over (UTC). */
function parseDayEnd(day = '', nowMs: number): number {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  if (Number.isNaN(startMs) || startMs + DAY_MS > nowMs)
    return refuseField('day', 'Please give a day that is over, such as 2026-01-31')
  return startMs + DAY_MS - 1
}

export async function showEntryDocument({ db, env, params }: ActorCall) {
  const [row] = await db
    .select({ payload: proposals.payload })
    .from(proposals)
    .where(sql`id = ${params.id ?? ''} AND kind = 'treasury'`)
  if (row === undefined) return refuse('not_found')
  const { document } = parseStored(treasuryPayload, row.payload)
  const file = await env.FILES.get(document.key)
  if (file === null) return refuse('not_found', { msg: 'The document is no longer stored.' })
  return createAttachment(file.body, document.type, 'document')
}
