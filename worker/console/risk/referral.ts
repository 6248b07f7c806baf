import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseStored } from '../../lib/database.ts'
import { foldName } from '../../lib/foldName.ts'
import { toNetworkAddress } from '../../lib/networkAddress.ts'

/** The newest people of one referrer who are compared. Ten of them can earn a bonus. */
const MOST_PEOPLE = 10
/** The rows of a kind that are read of each person, the newest ones where they have an order. */
const MOST_ROWS = 5

/** What people of one referrer may share, the strongest sign first. Browsers have a rule for everybody. */
const TRAITS = {
  document: 'the name on the identity document',
  receipt: 'a receipt',
  destination: 'a bank account or address',
  network: 'a network, as families and offices do',
} as const
type Trait = keyof typeof TRAITS

/**
 * SQL of the traits of an investor, of their referrer and of the people that either invited, as JSON for `findSharedTraits`. Null, and
 * nothing is read, for an investor without referrer and invited people.
 */
export function selectReferralTraits(investor: SQL, referrer: SQL): SQL<string | null> {
  // Names the index, because it has the newest people of one referrer next to each other.
  const selectInvitedBy = (who: SQL) => sql`
    SELECT id FROM (SELECT i.id FROM users i INDEXED BY users_by_referrer WHERE i.referred_by = ${who} ORDER BY i.rowid DESC LIMIT ${MOST_PEOPLE})`
  const list = (rows: SQL) => sql`json((SELECT json_group_array(value) FROM (${rows} LIMIT ${MOST_ROWS})))`
  const requests = sql`(SELECT o.id FROM requests o WHERE o.investor = t.id ORDER BY o.created_at DESC LIMIT ${MOST_ROWS}) o`
  const others = sql`SELECT ${referrer} AS id UNION ${selectInvitedBy(investor)} UNION ${selectInvitedBy(referrer)}`
  return sql`(
    SELECT json_group_array(json_object('id', t.id, 'name', t.display_name,
      'network', ${list(sql`SELECT ip AS value FROM sessions WHERE user_id = t.id ORDER BY created_at DESC`)},
      'destination', ${list(sql`SELECT coalesce(w.account_hash, w.destination_hash) AS value
        FROM ${requests} CROSS JOIN withdrawal_details w ON w.request = o.id`)},
      'receipt', ${list(sql`SELECT d.receipt_hash AS value FROM ${requests} CROSS JOIN deposit_details d ON d.request = o.id`)},
      'document', ${list(sql`SELECT document_name AS value FROM kyc_submissions WHERE user_id = t.id ORDER BY seq DESC`)}))
    FROM (SELECT id FROM (${others}) WHERE id <> ${investor} UNION ALL SELECT ${investor}) p CROSS JOIN users t ON t.id = p.id
    WHERE ${referrer} IS NOT NULL OR EXISTS (SELECT 1 FROM users WHERE referred_by = ${investor})
    HAVING count(*) > 1)`
}

const values = z.array(z.nullable(z.string()))
const storedPeople = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    network: values,
    destination: values,
    receipt: values,
    document: values,
  }),
)
type Person = z.output<typeof storedPeople>[number]

/** What an investor shares with the others, in words, with how many of them, and the first of them; null for nothing. */
export function findSharedTraits(json: string | null, investor: string) {
  const people = json === null ? [] : parseStored(storedPeople, json)
  const own = people.find(({ id }) => id === investor)
  if (own === undefined) return null
  const shares = (trait: Trait, person: Person) =>
    [...normalizeValues(trait, own[trait])].some((value) => normalizeValues(trait, person[trait]).has(value))
  const traits = Object.keys(TRAITS) as Trait[]
  const sharers = people.filter((person) => person !== own && traits.some((trait) => shares(trait, person)))
  const [first] = sharers
  if (first === undefined) return null
  const shared = traits.filter((trait) => sharers.some((sharer) => shares(trait, sharer)))
  return {
    note: shared.map((trait) => TRAITS[trait]).join(', '),
    count: sharers.length,
    link: { kind: 'investor', id: first.id, text: first.name },
  } as const
}

function normalizeValues(trait: Trait, list: readonly (string | null)[]): ReadonlySet<string> {
  // A row that was erased has a blank value.
  const given = list.filter((value): value is string => value !== null && value !== '')
  return new Set(
    given.map((value) =>
      trait === 'network' ? toNetworkAddress(value) : trait === 'document' ? foldName(value) : value,
    ),
  )
}
