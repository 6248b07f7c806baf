import type { OperatorDeposit } from '../../../contract/console/deposits.ts'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { site } from '../../../site.ts'
import { coinOnNetwork, coinSymbol } from '../cases/coinWords.ts'
import { ReceivingAddress } from '../cases/ReceivingAddress.tsx'
import { DepositStatus } from './DepositStatus.tsx'

/** All that is known about a deposit. */
export function DepositFacts({ deposit }: { deposit: OperatorDeposit }) {
  const { txid, quantity, rate, reference, reason, decidedBy } = deposit
  const isCredited = deposit.status === 'approved' || deposit.status === 'reversed'
  return (
    <Facts
      facts={[
        { label: 'Status', value: <DepositStatus deposit={deposit} /> },
        { label: 'Investor', value: deposit.investor.name },
        { label: 'E-mail', value: deposit.investor.email },
        { label: 'Asked to be credited', value: <Money value={deposit.asked} /> },
        isCredited && { label: 'Credited', value: <Money value={deposit.amount} /> },
        { label: 'Coin', value: coinOnNetwork(deposit.type, deposit.network) },
        quantity !== null && {
          label: 'Quantity that arrived',
          value: `${quantity} ${coinSymbol(deposit.type)}`,
        },
        rate !== null && { label: 'Rate', value: <Money value={rate} /> },
        { label: 'Sent', value: <DateTime at={deposit.createdAt} /> },
        {
          label: 'Paid to',
          value: <ReceivingAddress address={deposit.paymentTo} simulated={site.mode === 'simulated'} />,
        },
        {
          label: 'Transaction id by the investor',
          value: txid === null ? 'None given' : <Copied text={txid} what="transaction id" />,
        },
        reference !== null && {
          label: 'Credited under',
          value: <Copied text={reference} what="reference" />,
        },
        reason !== null && { label: 'Reason', value: reason },
        decidedBy !== null && { label: 'Decided by', value: decidedBy },
      ]}
    />
  )
}
