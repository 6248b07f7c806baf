import { createHash, createHmac } from 'node:crypto'
import type { World } from '../lane/world.ts'
import { none, overdueMs, type Rule, type Rules } from './rule.ts'

/** Rules of what is sealed and published. They go on where the last check ended. */
export function recordRules(): Rules {
  return {
    auditChainVerifies: auditChain(),

    /** New lines of the audit log are sealed soon. */
    auditLogIsSealed: async (at) => {
      const [late] = await at.world.database.rows<{ seq: number }>(
        'SELECT seq FROM audit_unsealed WHERE at < ?1',
        overdueMs(at),
      )
      return late === undefined ? null : `line ${late.seq} is not sealed`
    },

    recordChainVerifies: recordChain(),
    liabilitiesAreTheBalances,
    liabilityTreeVerifies,

    /** A day that was published is never changed: every root has its total. */
    publishedDaysStay: none(
      'SELECT day FROM liability_days WHERE (root IS NULL) <> (published_at IS NULL) OR total <= 0',
    ),
  }
}

interface Line {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: string
}

/** The seals of the audit log are those of its lines, one after the other without a gap. */
function auditChain(): Rule {
  let previous = '0'.repeat(64)
  let block = 0
  let line = 0
  return async ({ world: { database } }) => {
    const blocks = await database.rows<{
      seq: number
      first: number
      last: number
      previous: string
      hash: string
    }>(
      `SELECT seq, first_seq AS first, last_seq AS last, previous_hash AS previous, hash FROM audit_blocks WHERE seq > ?1 ORDER BY seq`,
      block,
    )
    for (const each of blocks) {
      const lines = await database.rows<Line>(
        'SELECT seq, id, at, actor, action, subject, detail FROM audit_log WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq',
        each.first,
        each.last,
      )
      const entries = lines.map(({ seq, id, at, actor, action, subject, detail }) => {
        line += 1
        return `${seq} ${sha256(JSON.stringify([id, at, actor, action, subject, detail]))}`
      })
      const hash = sha256(`${previous}\n${entries.join('\n')}`)
      if (each.previous !== previous || each.hash !== hash) return `block ${each.seq} does not verify`
      if (lines.at(-1)?.seq !== line) return `block ${each.seq} leaves lines out`
      previous = hash
      block = each.seq
    }
    return null
  }
}

interface Recorded {
  readonly strategy: string
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly netValue: number
  readonly units: number
  readonly weights: string
  readonly recordedAt: number
  readonly previous: string
  readonly hash: string
  readonly priceReturn: number
  readonly salt: string
  readonly details: string
  readonly commitment: string
}

/** A strategy's public record is one chain of hashes from its definition, and its commitments are to what the pool had. */
function recordChain(): Rule {
  const last = new Map<string, { day: number; kind: string; hash: string; unitPrice: number }>()
  return async ({ world: { database } }) => {
    const strategies = await database.rows<{ slug: string; definition: string; hash: string }>(
      'SELECT slug, definition, hash FROM strategies ORDER BY slug',
    )
    for (const { slug, definition, hash } of strategies) {
      if (sha256(canonical(JSON.parse(definition))) !== hash)
        return `${slug}: the hash of its definition is wrong`
      let former = last.get(slug) ?? { day: 0, kind: 'open', hash, unitPrice: 100_000_000 }
      const rows = await database.rows<Recorded>(
        `SELECT strategy, day, kind, unit_price AS unitPrice, issue_price AS issuePrice, redeem_price AS redeemPrice,
           net_value AS netValue, units, weights, recorded_at AS recordedAt, previous, hash, price_return AS priceReturn, salt,
           details, commitment
         FROM valuations WHERE strategy = ?1 AND (day > ?2 OR (day = ?2 AND kind = 'close' AND ?3 = 'open'))
         ORDER BY day, kind DESC`,
        slug,
        former.day,
        former.kind,
      )
      for (const row of rows) {
        const { strategy, kind, unitPrice, recordedAt, commitment, previous } = row
        const day = new Date(row.day).toISOString().slice(0, 10)
        const share = Math.round((unitPrice / former.unitPrice - 1) * 1e8) / 1e8 + 0
        const fields = { format: 2, strategy, day, kind, unitPrice, recordedAt, commitment, previous }
        const own = sha256(canonical({ ...fields, weights: JSON.parse(row.weights), return: share }))
        if (previous !== former.hash || row.hash !== own)
          return `${slug} on ${day}: the ${kind} does not verify`
        const { units, netValue, issuePrice, redeemPrice, salt } = row
        const committed = {
          ...JSON.parse(row.details),
          units,
          netValue,
          issuePrice,
          redeemPrice,
          salt,
        }
        if (sha256(canonical(committed)) !== commitment)
          return `${slug} on ${day}: the commitment of the ${kind} is wrong`
        former = { day: row.day, kind, hash: row.hash, unitPrice }
      }
      last.set(slug, former)
    }
    return null
  }
}

interface LiabilityDay {
  readonly day: string
  readonly at: number
  readonly investors: number
  readonly total: number
  readonly secret: string
  readonly root: string
}

/** The newest published day whose tree is still kept. */
async function newestDay({ database }: World): Promise<LiabilityDay | undefined> {
  const [day] = await database.rows<LiabilityDay>(
    `SELECT day, at, investors, total, secret, root FROM liability_days
     WHERE published_at IS NOT NULL AND secret IS NOT NULL ORDER BY day DESC LIMIT 1`,
  )
  return day
}

/**
 * Each investor's published liability is what the account was worth at that moment, debts not subtracted. In one undisturbed run
 * of cron the liabilities are published before the strategies trade, at the same time.
 */
async function liabilitiesAreTheBalances({ world }: Parameters<Rule>[0]): Promise<string | null> {
  const newest = await newestDay(world)
  if (newest === undefined) return null
  const { day, at } = newest
  const rows = await world.database.rows<{ investor: string; low: number; high: number; published: number }>(
    `WITH later AS (
       SELECT f.owner,
         sum(t.amount * ((g.kind IN ('available', 'held', 'allocating')) - (f.kind IN ('available', 'held', 'allocating')))) AS cents
       FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts g ON g.id = t.to_account
       WHERE t.at > ?1 OR (t.at = ?1 AND t.code IN ('deallocate', 'invest', 'redeem', 'lose', 'gain', 'fee', 'repay', 'forfeit'))
       GROUP BY f.owner),
     cash AS (
       SELECT a.owner, sum(a.balance) - coalesce(l.cents, 0) AS cents
       FROM accounts a LEFT JOIN later l ON l.owner = a.owner
       WHERE a.kind IN ('available', 'held', 'allocating') GROUP BY a.owner),
     moved AS (SELECT investor, strategy, sum(units) AS units FROM unit_movements WHERE at >= ?1 GROUP BY investor, strategy),
     owned AS (
       SELECT p.investor, p.strategy, p.units - coalesce(m.units, 0) AS units
       FROM positions p LEFT JOIN moved m ON m.investor = p.investor AND m.strategy = p.strategy),
     prices AS (
       SELECT p.strategy, (
         SELECT v.unit_price FROM valuations v WHERE v.strategy = p.strategy AND v.recorded_at < ?1 - ?3
         ORDER BY v.day DESC, v.kind LIMIT 1) AS price FROM pools p
       UNION ALL
       SELECT strategy, unit_price FROM valuations WHERE recorded_at >= ?1 - ?3 AND recorded_at < ?1 + ?3),
     ranges AS (SELECT strategy, min(price) AS low, max(price) AS high FROM prices GROUP BY strategy),
     worth AS (
       SELECT o.investor, sum(${centsSql('o.units', 'r.low')}) AS low, sum(${centsSql('o.units', 'r.high')}) AS high
       FROM owned o JOIN ranges r ON r.strategy = o.strategy GROUP BY o.investor),
     balances AS (
       SELECT c.owner AS investor, c.cents + coalesce(w.low, 0) AS low, c.cents + coalesce(w.high, 0) AS high
       FROM cash c LEFT JOIN worth w ON w.investor = c.owner)
     SELECT b.investor, b.low, b.high, coalesce(l.balance, 0) AS published FROM balances b
     LEFT JOIN liability_leaves l ON l.day = ?2 AND l.investor = b.investor
     WHERE coalesce(l.balance, 0) NOT BETWEEN b.low AND b.high
       AND NOT (l.day IS NULL AND b.investor IN (${CLOSED_SINCE}))
       AND b.investor NOT IN (
         SELECT f.owner FROM transfers t JOIN accounts f ON f.id = t.from_account WHERE abs(t.at - ?1) < ?3) LIMIT 3`,
    at,
    day,
    world.isCalm() ? 0 : SLOW_MS,
  )
  return rows.length === 0 ? null : `${day}: ${JSON.stringify(rows)}`
}

/**
 * Requests and cron jobs record their start time. With injected failures they may take effect this much later, and the jobs of a run
 * may change their order. So the published balance may use any price of these minutes.
 */
const SLOW_MS = 120_000

/** SQL of the value of units at a price, in cents, rounded down. */
function centsSql(units: string, price: string): string {
  return `(${units} / 1000000 * ${price} + ${units} % 1000000 * ${price} / 1000000) / 10000`
}

/** Closing an account deletes its leaf. `?1` is the time of publication. */
const CLOSED_SINCE = 'SELECT id FROM users WHERE closed_at >= ?1'

/** The root that was published is that of its leaves, and its total is their sum. */
async function liabilityTreeVerifies({ world }: Parameters<Rule>[0]): Promise<string | null> {
  const newest = await newestDay(world)
  if (newest === undefined) return null
  const { day, at, investors, total, secret, root } = newest
  const { database } = world
  const leaves = await database.rows<{ investor: string; balance: number; position: number }>(
    'SELECT investor, balance, position FROM liability_leaves WHERE day = ?1',
    day,
  )
  const closed = await database.rows(CLOSED_SINCE, at)
  if (leaves.length > investors || leaves.length < investors - closed.length)
    return `${day}: ${leaves.length} leaves of ${investors}`
  const stored = await database.rows<{ hash: string; sum: number }>(
    'SELECT hash, sum FROM liability_nodes WHERE day = ?1 AND level = 0 ORDER BY position',
    day,
  )
  if (stored.length !== investors) return `${day}: ${stored.length} nodes of ${investors} leaves`
  for (const { investor, balance, position } of leaves) {
    const salt = createHmac('sha256', secret).update(investor).digest()
    const hash = node(0, [salt, sumBytes(balance), Buffer.from(investor)]).toString('hex')
    const own = stored[position]
    if (own?.hash !== hash || own.sum !== balance) return `${day}: the node of ${investor} is wrong`
  }
  let level: { hash: Buffer; sum: number }[] = stored.map(({ hash, sum }) => ({
    hash: Buffer.from(hash, 'hex'),
    sum,
  }))
  while (level.length > 1) {
    const above: typeof level = []
    for (let place = 0; place < level.length; place += 2) {
      const [left, right] = level.slice(place, place + 2)
      if (left === undefined) break
      above.push(
        right === undefined
          ? left
          : {
              hash: node(1, [
                sumBytes(left.sum + right.sum),
                left.hash,
                sumBytes(left.sum),
                right.hash,
                sumBytes(right.sum),
              ]),
              sum: left.sum + right.sum,
            },
      )
    }
    level = above
  }
  const [top] = level
  if (top === undefined || top.sum !== total) return `${day}: a total of ${total}, and leaves of ${top?.sum}`
  const own = node(2, [sumBytes(investors), sumBytes(total), top.hash]).toString('hex')
  return own === root ? null : `${day}: the root is ${root}, and should be ${own}`
}

function node(kind: number, parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Uint8Array.of(kind))
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function sumBytes(cents: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(cents))
  return bytes
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Canonical JSON (RFC 8785), of parsed JSON. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
  return `{${fields.join(',')}}`
}
