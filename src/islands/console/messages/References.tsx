import type { ReactNode } from 'react'
import { CASE_REFERENCE, type MentionedCase } from '../../../contract/console/messages.ts'
import { classes } from '../../../design/classes.ts'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { caseHref } from '../search/words.ts'
import styles from './Messages.module.css'

/** A text with links from the references of cases to the cases. A reference that we never issued stays text. */
export function withLinks(text: string, mentioned: readonly MentionedCase[]): ReactNode {
  let at = 0
  return text.split(new RegExp(`(${CASE_REFERENCE.source})`, 'gi')).map((part) => {
    const found = mentioned.find(({ ref }) => ref === part.toUpperCase())
    const key = at
    at += part.length
    return found === undefined ? (
      part
    ) : (
      <a key={key} href={caseHref(found)} className={styles.ref}>
        {part}
      </a>
    )
  })
}

/** The cases that a thread names, each with its amount and status. */
export function MentionedCases({ mentioned }: { mentioned: readonly MentionedCase[] }) {
  return (
    <ul className={classes('plain-list', styles.mentioned)}>
      {mentioned.map((each) => (
        <li key={each.ref}>
          <a href={caseHref(each)} className={styles.ref}>
            {each.ref}
          </a>
          {each.amount !== null && <Money value={each.amount} />}
          <Status status={each.status} />
          {!each.isTheirs && <span className="soft small">Not of this account</span>}
        </li>
      ))}
    </ul>
  )
}
