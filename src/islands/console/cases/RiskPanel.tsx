import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import {
  RISK_RULES,
  type Risk,
  type RiskLevel,
  type RiskLinkKind,
  type RiskRuleFacts,
  type RiskSignal,
} from '../../../contract/console/risk.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import type { Column } from '../../../design/Table.tsx'
import { NoWrap, Unbroken } from './columns.tsx'
import styles from './RiskPanel.module.css'

/** The signs of risk, first in a case, the heaviest first, each with a link to the person or case that it refers to. */
export function RiskPanel({ risk, of = 'case' }: { risk: Risk; of?: 'case' | 'account' }) {
  const Title = of === 'case' ? 'h3' : 'h2'
  return (
    <section className={styles.panel} aria-label="Risk">
      <Title className={styles.title}>
        <span>{of === 'case' ? 'Risk' : 'Risk of the account'}</span> <RiskLabel risk={risk} />
      </Title>
      {risk.signals.length === 0 ? (
        <p className="soft">
          {of === 'case'
            ? 'No signs found in this case.'
            : 'No signs found in the account. Each open case has its own risk.'}
        </p>
      ) : (
        <ul className={styles.list}>
          {risk.signals.map((signal) => (
            <li key={signal.rule} className={styles[rateSignal(signal)]}>
              <span>
                <span>{RISK_RULES[signal.rule].title}</span>
                <SignalFacts signal={signal} />
              </span>
              <span className={styles.points}>{signal.weight}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** How serious one sign is: enough for a level by itself. Its colour only. */
function rateSignal({ weight }: RiskSignal): RiskLevel {
  return weight >= 40 ? 'high' : weight >= 20 ? 'medium' : 'low'
}

/** The facts of a sign after its title: ` · until 2 May 2026`, ` · $120.00 · 2 May 2026 · 3 in total · Ana Torres`. */
function SignalFacts({ signal }: { signal: RiskSignal }) {
  const { rule, since, amount, count = 1, note, link, moreLinks = [] } = signal
  const { factLabel }: RiskRuleFacts = RISK_RULES[rule]
  const separator = factLabel === undefined ? '·' : `· ${factLabel}`
  return (
    <span className="soft">
      {amount !== undefined && (
        <span>
          {' '}
          <span>{separator}</span> <Money value={amount} />
        </span>
      )}
      {since !== undefined && (
        <span>
          {' '}
          <span>{separator}</span> <DateTime at={since} />
        </span>
      )}
      {count > 1 && <span> · {count} in total</span>}
      {note !== undefined && (
        <span>
          {' '}
          · <bdi>{note}</bdi>
        </span>
      )}
      {[...(link === null ? [] : [link]), ...moreLinks].map(({ kind, id, text }) => (
        <span key={id}>
          {' '}
          ·{' '}
          <a href={`/operator/${LINKS[kind]}${encodeURIComponent(id)}`}>
            <bdi>
              <Unbroken text={text} />
            </bdi>
          </a>
        </span>
      ))}
    </span>
  )
}

const LINKS: Record<RiskLinkKind, string> = {
  investor: 'investors?open=',
  deposit: 'deposits?status=&open=',
  withdrawal: 'withdrawals?status=&open=',
  kyc: 'kyc?status=&open=',
  recovery: 'lost-factors?status=&open=',
  payment: 'payments?state=&open=',
  sanctions: 'sanctions?status=&open=',
}

const LEVELS = {
  high: { Icon: CircleAlert, label: 'High' },
  medium: { Icon: TriangleAlert, label: 'Medium' },
  low: { Icon: Info, label: 'Low' },
} as const

/** "High 75": the level and its points. */
export function RiskLabel({ risk: { level, score } }: { risk: Risk }) {
  const { Icon, label } = LEVELS[level]
  return (
    <span className={styles[level]}>
      <span className={styles.label}>
        <Icon aria-hidden="true" size={16} />
        <span>{label}</span>
      </span>
      <span className="soft small">
        {' '}
        {score}
        <span className="visually-hidden"> points</span>
      </span>
    </span>
  )
}

/** The risk of a queue's open rows. */
export const riskColumn: Column<{ risk?: Risk | undefined }> = {
  key: 'risk',
  header: 'Risk',
  narrow: 'start',
  cell: ({ risk }) =>
    risk !== undefined && (
      <NoWrap>
        <RiskLabel risk={risk} />
      </NoWrap>
    ),
}
