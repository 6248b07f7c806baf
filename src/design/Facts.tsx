import type { ReactNode } from 'react'
import styles from './Facts.module.css'

export interface Fact {
  label: string
  value: ReactNode
}

/** Names and values in two columns. Skips missing facts. */
export function Facts({ facts }: { facts: readonly (Fact | null | undefined | false)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.filter(isFact).map((fact) => (
        <div key={fact.label} className={styles.fact}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

function isFact(fact: Fact | null | undefined | false): fact is Fact {
  return Boolean(fact)
}
