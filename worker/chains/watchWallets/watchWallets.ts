import { desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import * as contract from '../../../src/contract/console/watchWallets.ts'
import { CHAIN_NETWORKS, type Chain, PROVED_NETWORKS } from '../../../src/contract/money/payments.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type CallOf, created } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { parseSteps, selectHistory } from '../../http/steps.ts'
import { generateToken, newId } from '../../lib/crypto/tokens.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { watchChallenges, watchWallets } from '../../lib/tables/payments.ts'
import { ADDRESS_GAP, LAST_PAID, NEXT_POSITION } from '../addresses/addresses.ts'
import { listChains } from '../servers/configuration.ts'
import { findKeyHolder, type KeyHolderFacts, readKeyHolders } from './keyHolders.ts'
import { listWalletWarnings, readWallet } from './signers.ts'

/** Long enough to fetch hardware wallets from several safes. */
const LASTS_MS = 7 * DAY_MS

/** Issues a message for the keys of a watch-only wallet to sign. Refuses a wallet that is in use already. */
export async function challengeWatchWallet(call: CallOf<typeof contract.challengeWatchWallet>) {
  const { db, env, nowMs, actor, body } = call
  const { chain } = body
  const { descriptor, signers, addresses } = readWallet(env, chain, body.descriptor)
  await assertUnused(call, descriptor)
  const message = buildProofMessage(chain, addresses[0] ?? '', new URL(env.PUBLIC_ORIGIN).host, nowMs)
  const expiresAt = nowMs + LASTS_MS
  const id = newId()
  await call.commit({
    statements: [
      db
        .insert(watchChallenges)
        .values({ id, chain, descriptor, message, issuedTo: actor.id, createdAt: nowMs, expiresAt }),
    ],
    audit: [{ action: 'watch_wallet.challenged', subject: id, detail: { chain } }],
  })
  return created({
    descriptor,
    message,
    expiresAt: toIso(expiresAt),
    signers: [...signers],
    addresses: [...addresses],
    warnings: listWalletWarnings({ chain, descriptor }),
  })
}

/** Refuses a descriptor that is or was a wallet. */
export async function assertUnused({ db }: Pick<ActorCall, 'db'>, descriptor: string): Promise<void> {
  const used = await db.select().from(watchWallets).where(eq(watchWallets.descriptor, descriptor))
  if (used.length > 0) refuse('conflict', { msg: 'This is already a watch-only wallet, or was one.' })
}

/** One line of ASCII that names everything the signature is for, so that it cannot pass for another one. */
function buildProofMessage(chain: Chain, address: string, host: string, nowMs: number): string {
  const name = chain === 'bitcoin' ? 'Bitcoin' : 'Ethereum'
  return `${host} watches a wallet on ${name} whose first address is ${address}. Signed to show that we hold its key, and for nothing else. Issued ${toIso(nowMs)}, number ${generateToken(12)}`
}

const storedServers = z.array(
  z.object({
    server: z.string(),
    height: z.nullable(z.number()),
    answeredAt: z.nullable(z.number()),
    failingSince: z.nullable(z.number()),
    fault: z.nullable(z.string()),
  }),
)

function readWatchWallets(where: SQL | undefined, limit: number) {
  const { seq, id, chain, descriptor, createdAt, retiredAt, proposal } = watchWallets
  const { reason, payload } = proposals
  const retirement = alias(proposals, 'retirement')
  return selectRows({
    ...{ seq, id, chain, descriptor, createdAt, retiredAt, reason, payload },
    steps: selectHistory(
      { step: 'proposed', at: sql`${proposals.createdAt}`, by: sql`${proposals.proposedBy}` },
      { step: 'approved', at: sql`${createdAt}`, by: sql`${proposals.decidedBy}` },
      { step: 'retired', at: sql`${retiredAt}`, by: sql`${retirement.decidedBy}` },
    ),
    ...{ next: NEXT_POSITION, lastPaid: LAST_PAID, gap: ADDRESS_GAP },
    servers: sql<string>`(SELECT json_group_array(json_object('server', server, 'height', height, 'answeredAt', answered_at,
      'failingSince', failing_since, 'fault', fault)) FROM chain_servers WHERE chain = watch_wallets.chain)`,
  })
    .from(watchWallets)
    .innerJoin(proposals, eq(proposals.id, proposal))
    .leftJoin(retirement, eq(retirement.id, watchWallets.retirement))
    .where(where)
    .orderBy(desc(seq))
    .limit(limit)
}

export type WatchFacts = RowOf<typeof readWatchWallets>

export const listWatchWallets = createQueue(contract.listWatchWallets, {
  read: async ({ db }, after, rows) => {
    const where = after === null ? undefined : lt(watchWallets.seq, after.seq)
    const [wallets, holders] = await readTogether(db, readWatchWallets(where, rows), readKeyHolders(sql`1`))
    return wallets.map((wallet) => ({ ...wallet, holders }))
  },
  row: watchRow,
})

/** The watch-only wallet that a call names. Refuses `not_found`. */
export async function loadWatchWallet({ db, params }: ActorCall): Promise<WatchFacts> {
  const [[wallet]] = await readTogether(db, readWatchWallets(eq(watchWallets.id, params.id ?? ''), 1))
  return wallet ?? refuse('not_found')
}

/** The part of a proposal's payload that shows who holds the keys. */
const storedProof = z.object({ message: z.string(), signatures: z.array(z.string()) })

function watchRow(
  { holders, ...wallet }: WatchFacts & { readonly holders: readonly KeyHolderFacts[] },
  { env }: Pick<ActorCall, 'env'>,
): contract.WatchWallet {
  const { chain, descriptor } = wallet
  const { signers } = readWallet(env, chain, descriptor)
  const { message, signatures } = parseStored(storedProof, wallet.payload)
  return {
    _id: wallet.id,
    chain,
    descriptor,
    warnings: listWalletWarnings(wallet),
    active: wallet.retiredAt === null,
    createdAt: toIso(wallet.createdAt),
    steps: parseSteps(wallet.steps),
    reason: wallet.reason,
    proof: { message, signatures, signers: [...signers] },
    holders: signers.map(({ key }) => findKeyHolder(holders, wallet.id, key)),
    nextIndex: wallet.next,
    unpaid: wallet.next - 1 - wallet.lastPaid,
    gap: wallet.gap,
    networks: PROVED_NETWORKS.filter((network) => CHAIN_NETWORKS[network].chain === chain),
    isObserved: listChains(env).includes(chain),
    servers: parseStored(storedServers, wallet.servers).map(({ answeredAt, failingSince, ...server }) => ({
      ...server,
      answeredAt: toIsoOrNull(answeredAt),
      failingSince: toIsoOrNull(failingSince),
    })),
  }
}
