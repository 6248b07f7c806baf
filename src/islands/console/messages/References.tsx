import { CASE_REFERENCE, type MentionedCase } from '../../../contract/console/messages.ts'
import { CASE_SCOPES } from '../../../contract/roles.ts'
import { joinClasses } from '../../../design/classes.ts'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { buildCaseHref } from '../search/words.ts'
import styles from './Messages.module.css'

/** A text with links from the references of cases to the cases. One that we never issued, or whose case the operator may not read, stays text. */
export function LinkedText({ text, mentioned }: { text: string; mentioned: readonly MentionedCase[] }) {
  const { can } = useOperator()
  let at = 0
  return text.split(new RegExp(`(${CASE_REFERENCE.source})`, 'gi')).map((part) => {
    const found = mentioned.find(({ ref, kind }) => ref === part.toUpperCase() && can(CASE_SCOPES[kind]))
    const key = at
    at += part.length
    return found === undefined ? (
      part
    ) : (
      <a key={key} href={buildCaseHref(found)} className={styles.ref}>
        {part}
      </a>
    )
  })
}

/** The cases that a thread names, each with its amount and status. */
export function MentionedCases({ mentioned }: { mentioned: readonly MentionedCase[] }) {
  const { can } = useOperator()
  return (
    <ul className={joinClasses('plain-list', styles.mentioned)}>
      {mentioned.map((reference) => (
        <li key={reference.ref}>
          {can(CASE_SCOPES[reference.kind]) ? (
            <a translate="no" href={buildCaseHref(reference)} className={styles.ref}>
              {reference.ref}
            </a>
          ) : (
            <span translate="no">{reference.ref}</span>
          )}
          {reference.amount !== null && <Money value={reference.amount} />}
          <Status status={reference.status} />
          {!reference.isTheirs && <span className="soft small">Not of this account</span>}
        </li>
      ))}
    </ul>
  )
}
