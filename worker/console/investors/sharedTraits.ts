import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  type InvestorSummary,
  SHARED_TRAITS,
  type SharedTrait,
} from '../../../src/contract/console/investors.ts'
import { buildQuery, parseStored, type RowQuery } from '../../lib/database.ts'
import { foldName } from '../../lib/foldName.ts'
import { toNetworkAddress } from '../../lib/networkAddress.ts'

/** The newest people of one referrer who are compared. Ten of them can earn a bonus. */
const MOST_PEOPLE = 20
/** The rows of a kind that are read of each person, the newest ones where they have an order. */
const MOST_ROWS = 20

/** The traits of a person: for each kind, a JSON array of texts and nulls. */
export interface Traits extends Readonly<Record<SharedTrait, string>> {
  readonly id: string
  readonly name: string
}

/**
 * Reads the traits of an investor, their referrer and the people that either invited: browsers, network addresses, withdrawal
 * destinations, receipts, and the names on identity documents. Returns no rows for an investor without referrer and invited people.
 */
export function readTraits(id: string): RowQuery<Traits> {
  // Names the index, because it has the newest people of one referrer next to each other.
  const selectInvitedBy = (referrer: SQL) => sql`
    SELECT id FROM (SELECT i.id FROM users i INDEXED BY users_by_referrer
      WHERE i.referred_by = ${referrer} ORDER BY i.rowid DESC LIMIT ${MOST_PEOPLE})`
  const list = (rows: SQL) => sql`(SELECT json_group_array(value) FROM (${rows} LIMIT ${MOST_ROWS}))`
  const requests = sql`(SELECT o.id FROM requests o WHERE o.investor = u.id ORDER BY o.created_at DESC LIMIT ${MOST_ROWS}) o`
  return buildQuery(sql`
    WITH related AS MATERIALIZED (
      SELECT referred_by AS id FROM users WHERE id = ${id} AND referred_by IS NOT NULL
      UNION ${selectInvitedBy(sql`${id}`)} UNION ${selectInvitedBy(sql`(SELECT referred_by FROM users WHERE id = ${id})`)}),
    people AS MATERIALIZED (SELECT id FROM related UNION SELECT ${id} WHERE EXISTS (SELECT 1 FROM related))
    SELECT u.id, u.display_name AS name,
      ${list(sql`SELECT device_hash AS value FROM devices WHERE user_id = u.id`)} AS device,
      ${list(sql`SELECT ip AS value FROM sessions WHERE user_id = u.id ORDER BY created_at DESC`)} AS network,
      ${list(sql`SELECT coalesce(w.account_hash, w.destination_hash) AS value
        FROM ${requests} CROSS JOIN withdrawal_details w ON w.request = o.id`)} AS destination,
      ${list(sql`SELECT d.receipt_hash AS value FROM ${requests} CROSS JOIN deposit_details d ON d.request = o.id`)} AS receipt,
      ${list(sql`SELECT document_name AS value FROM kyc_submissions WHERE user_id = u.id ORDER BY seq DESC`)} AS document
    FROM people p CROSS JOIN users u ON u.id = p.id`)
}

/** What several of these people have in common, the strongest sign first. The same people share a kind once. */
export function findSharedTraits(people: readonly Traits[]): InvestorSummary['shared'] {
  const inOrder = people.toSorted((firstPerson, secondPerson) =>
    firstPerson.id.localeCompare(secondPerson.id),
  )
  return SHARED_TRAITS.flatMap((trait) => {
    const getValues = (person: Traits) => normalizeValues(trait, person[trait])
    const values = new Set(inOrder.flatMap((person) => [...getValues(person)]))
    const groups = new Map<string, (typeof people)[number][]>()
    for (const value of values) {
      const group = inOrder.filter((person) => getValues(person).has(value))
      if (group.length > 1) groups.set(group.map(({ id }) => id).join(' '), group)
    }
    return [...groups.values()].map((group) => ({
      trait,
      people: group.map(({ id, name }) => ({ _id: id, name })),
    }))
  })
}

const traitValues = z.array(z.nullable(z.string()))

function normalizeValues(trait: SharedTrait, list: string): ReadonlySet<string> {
  // A row that was erased has a blank value.
  const values = parseStored(traitValues, list).filter(
    (value): value is string => value !== null && value !== '',
  )
  return new Set(
    values.map((value) =>
      trait === 'network' ? toNetworkAddress(value) : trait === 'document' ? foldName(value) : value,
    ),
  )
}
