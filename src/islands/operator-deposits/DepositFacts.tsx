import type { OperatorDeposit } from '../../contract/operator.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Facts } from '../../design/Facts.tsx'
import { Money } from '../../design/Money.tsx'
import { Status } from '../../design/Status.tsx'
import { Copied } from '../operator/Copied.tsx'
import { coinOnNetwork, coinSymbol } from '../operator/coinWords.ts'
import { Person } from '../operator/Person.tsx'

/** All that is known about a deposit. */
export function DepositFacts({ deposit }: { deposit: OperatorDeposit }) {
  const { txid, quantity, rate, reference, reason, decidedBy } = deposit
  const isCredited = deposit.status === 'approved' || deposit.status === 'reversed'
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status status={deposit.status} /> },
        { label: 'Investor', value: <Person {...deposit.investor} /> },
        { label: 'Asked to be credited', value: <Money value={deposit.asked} /> },
        isCredited && { label: 'Credited', value: <Money value={deposit.amount} /> },
        { label: 'Coin', value: coinOnNetwork(deposit.type, deposit.network) },
        quantity !== null && {
          label: 'Quantity that arrived',
          value: `${quantity} ${coinSymbol(deposit.type)}`,
        },
        rate !== null && { label: 'Rate', value: <Money value={rate} /> },
        { label: 'Sent', value: <DateTime at={deposit.createdAt} /> },
        { label: 'Paid to', value: <Copied text={deposit.paymentTo} what="receiving address" /> },
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
