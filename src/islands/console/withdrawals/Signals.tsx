import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { OperatorWithdrawal, Severity } from '../../../contract/console/withdrawals.ts'
import { aloneWords } from './aloneWords.ts'
import styles from './Signals.module.css'
import { SEVERITY_WORDS, signalWords } from './signalWords.ts'

/** What speaks against a withdrawal, gravest first, and what of it one operator may pay alone. */
export function Signals({ withdrawal }: { withdrawal: Pick<OperatorWithdrawal, 'signals' | 'alone'> }) {
  const { signals, alone } = withdrawal
  if (signals === undefined) return null
  return (
    <section className={styles.signals} aria-label="What stands out">
      <h3 className={styles.title}>What stands out</h3>
      {signals.length === 0 ? (
        <p className="soft">Nothing: it is like what this investor was paid before.</p>
      ) : (
        <ul className={styles.list}>
          {signals.map((signal) => (
            <li key={signal.signal} className={styles[signal.severity]}>
              <Weight of={signal.severity} />
              <span>{signalWords(signal)}.</span>
            </li>
          ))}
        </ul>
      )}
      {alone && <p className="soft small">{aloneWords(alone)}</p>}
    </section>
  )
}

const icons = { high: CircleAlert, medium: TriangleAlert, low: Info }

function Weight({ of }: { of: Severity }) {
  const Icon = icons[of]
  return (
    <span className={styles.weight}>
      <Icon aria-hidden="true" size={16} />
      {SEVERITY_WORDS[of]}
    </span>
  )
}
