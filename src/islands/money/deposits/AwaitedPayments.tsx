import { COINS } from '../../../contract/money/coins.ts'
import { listTransactions, type Transaction } from '../../../contract/money/transactions.ts'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { call } from '../../lib/api.ts'
import { useFresh } from '../../lib/resource.ts'
import styles from './Deposit.module.css'
import { QuotedPayment } from './QuotedPayment.tsx'

const QUERY = { kind: 'deposit', status: 'pending', limit: '20' } as const

/** Lists the announced deposits that are not paid yet. Renders null without one and while loading. A new `version` reloads the list. */
export function AwaitedPayments({ version }: { version: string }) {
  const resource = useFresh(`awaited payments ${version}`, () =>
    call(listTransactions, { query: QUERY, quiet: true }),
  )
  const awaited =
    resource.state === 'ready' ? resource.data.data.filter(({ awaitsPayment }) => awaitsPayment) : []
  if (awaited.length === 0) return null
  return (
    <Panel title="Awaiting your payment">
      <ul className={styles.awaited}>
        {awaited.map((deposit) => (
          <li key={deposit._id}>
            <p>
              Deposit{' '}
              <a href={`/dashboard/transaction-history?open=${deposit.ref}`}>
                <code translate="no">{deposit.ref}</code>
              </a>
              , <Money value={deposit.amount} />
            </p>
            <AwaitedPayment transaction={deposit} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function AwaitedPayment({ transaction: { type, quote } }: { transaction: Transaction }) {
  const coin = COINS.find((coin) => coin === type)
  return coin === undefined ? null : <QuotedPayment coin={coin} quote={quote} />
}
