import { ENTRY_WORDS } from '../../../contract/money/statements.ts'
import type { TransactionDetail } from '../../../contract/money/transactions.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { moneyText } from '../../../design/Money.tsx'
import styles from './TransactionContent.module.css'

/** What a transaction did to the balance, entry by entry, and the statement in which that stands. */
export function InTheBooks({ transaction: { entries, status } }: { transaction: TransactionDetail }) {
  const [first, last] = [entries[0], entries.at(-1)]
  return (
    <section aria-labelledby="books">
      <h3 id="books">In your books</h3>
      {first === undefined || last === undefined ? (
        <p className="soft small">{NOTHING[status === 'pending' ? 'yet' : 'ever']}</p>
      ) : (
        <>
          <ul className={styles.entries}>
            {entries.map(({ _id, at, code, amount, change }) => (
              <li key={_id}>
                <span>
                  {ENTRY_WORDS[code]}, {moneyText(amount)}
                </span>
                <span className="soft">
                  {change === 0 ? 'balance unchanged' : `balance ${moneyText(change, 'always')}`},{' '}
                  <DateTime at={at} />
                </span>
              </li>
            ))}
          </ul>
          <p className="small">
            <a href={`/dashboard/statement?from=${dayOf(first.at)}&to=${dayOf(last.at)}`}>
              See the statement with {entries.length === 1 ? 'this entry' : 'these entries'}
            </a>
          </p>
        </>
      )}
    </section>
  )
}

// A withdrawal holds its amount from the start; only a deposit leaves the books as they are.
const NOTHING = {
  yet: 'Nothing yet: a deposit counts once it is credited.',
  ever: 'Nothing: it was not credited.',
}

/** The day in UTC, as the books are kept. */
function dayOf(at: string): string {
  return at.slice(0, 10)
}
