import { env } from 'cloudflare:workers'
import { type Coin, getCoinOfNetwork, type Network } from '../../src/contract/money/coins.ts'
import { RECEIVING_ADDRESSES } from '../../worker/dev/seed/sampleKeys.ts'
import { newId } from '../../worker/lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../worker/lib/database.ts'
import { proposals } from '../../worker/lib/tables/operators.ts'
import { wallets } from '../../worker/lib/tables/requests.ts'
import { newOperator } from './people.ts'
import { decideProposal } from './proposals.ts'

export interface TestWallet {
  readonly id: string
  readonly coin: Coin
  readonly network: Network
  readonly address: string
}

export interface WalletOptions {
  readonly network?: Network
  readonly address?: string
  readonly simulated?: boolean
}

/** An active receiving wallet that two operators decided, by default with a new address. */
export async function newWallet(options: WalletOptions = {}): Promise<TestWallet> {
  const { network = 'btc', simulated = true } = options
  const id = newId()
  const address = options.address ?? `${RECEIVING_ADDRESSES[network]}-${id.slice(0, 8)}`
  const coin = getCoinOfNetwork(network)
  const [first, second] = await Promise.all([newOperator(), newOperator()])
  const db = openDatabase(env.DB)
  const nowMs = Date.now()
  const proposal = newId()
  await runBatch(db, [
    db.insert(proposals).values({
      id: proposal,
      kind: 'wallet',
      createdAt: nowMs,
      proposedBy: first.id,
      payload: JSON.stringify({ walletName: coin, type: coin, network, address }),
    }),
    decideProposal(db, proposal, second.id, nowMs),
    db.insert(wallets).values({ id, coin, network, address, simulated, proposal, createdAt: nowMs }),
  ])
  return { id, coin, network, address }
}

/** Retires a wallet, so that nobody pays to it any more. */
export async function retireWallet(wallet: { readonly id: string }): Promise<void> {
  const { id } = await newOperator()
  await env.DB.prepare('UPDATE wallets SET retired_at = ?, retired_by = ? WHERE id = ?')
    .bind(Date.now(), id, wallet.id)
    .run()
}
