import type { Coin } from '../../contract/coins.ts'
import type { Wallet } from '../../contract/wallets.ts'
import { PayTo } from './PayTo.tsx'
import { QuoteLine } from './QuoteLine.tsx'

export interface HowToPayProps {
  coin: Coin
  /** USD, as typed. */
  amount: string
  /** Undefined while the network is still to be chosen. */
  wallet: Wallet | undefined
}

/** How much of the coin, and where to. */
export function HowToPay({ coin, amount, wallet }: HowToPayProps) {
  return (
    <>
      <QuoteLine coin={coin} amount={amount} />
      {wallet && <PayTo wallet={wallet} />}
    </>
  )
}
