import { getCoinOfNetwork } from '../../src/contract/money/coins.ts'
import type { ProvedNetwork } from '../../src/contract/money/payments.ts'
import { openSession } from '../../worker/identity/signIn/openSession.ts'
import { hold } from '../../worker/ledger/post.ts'
import { openVault } from '../../worker/lib/crypto/vault.ts'
import { type Database, runBatch } from '../../worker/lib/database.ts'
import { secondFactors } from '../../worker/lib/tables/people.ts'
import { requests, withdrawalDetails } from '../../worker/lib/tables/requests.ts'

/** Statements that let tests of chains begin with wallets that operators have already approved. `operator` must exist. */
export function approvedWalletsSql(operator: string): string {
  return `
    DROP TRIGGER watch_wallets_need_two;
    DROP TRIGGER proposals_start_pending;
    INSERT INTO proposals (id, kind, status, created_at, proposed_by, payload)
      VALUES ('bitcoin', 'watch_wallet', 'approved', 0, '${operator}', '{}'), ('ethereum', 'watch_wallet', 'approved', 0, '${operator}', '{}');`
}

/** Opens a session with a second factor that was shown just now. Returns its token. */
export async function openCodeSession(
  db: Database,
  vaultKeys: string,
  userId: string,
  { nowMs, isOperator }: { readonly nowMs: number; readonly isOperator: boolean },
): Promise<string> {
  const session = await openSession({ VAULT_KEYS: vaultKeys }, db, {
    userId,
    nowMs,
    deviceHash: null,
    ip: '203.0.113.1',
    userAgent: 'test',
    factorBy: 'totp',
  })
  const secretSealed = await openVault(vaultKeys).sealSmall('JBSWY3DPEHPK3PXP', `totp:${userId}`)
  const factor = { userId, secretSealed, createdAt: nowMs, enabledAt: nowMs }
  await runBatch(db, [session.statement, ...(isOperator ? [db.insert(secondFactors).values(factor)] : [])])
  return session.token
}

/** A withdrawal to an address outside the platform. */
export interface ChainWithdrawal {
  readonly id: string
  readonly investor: string
  readonly network: ProvedNetwork
  readonly address: string
  readonly cents: number
}

/** Files a withdrawal and holds its amount, as the endpoint does. */
export async function fileChainWithdrawal(
  db: Database,
  nowMs: number,
  { id, investor, network, address, cents }: ChainWithdrawal,
): Promise<void> {
  await runBatch(db, [
    db.insert(requests).values({
      id,
      ref: `WDR-${id}`,
      investor,
      kind: 'withdrawal',
      queue: 'withdrawals',
      amount: cents,
      asked: cents,
      createdAt: nowMs,
    }),
    db.insert(withdrawalDetails).values({
      request: id,
      coin: getCoinOfNetwork(network),
      network,
      address,
      destinationHash: id,
      sessionId: id,
      proof: 'totp',
    }),
    hold(db, { id, investor, amountCents: cents }, { actor: investor, nowMs }),
  ])
}
