import type { KycRecord } from '../../../contract/identity/kyc.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import type { Fact } from '../../../design/Facts.tsx'
import styles from './Looks.module.css'

/** How a document is kept, as one of its facts. */
export function sealedFact({ sealedBy }: Pick<KycRecord, 'sealedBy'>): Fact {
  return {
    label: 'Encrypted',
    value:
      sealedBy === 'browser' ? 'In your browser, to the reviewers’ keys' : 'By our server, when it arrived',
  }
}

/** Each look at a document: what its owner may know of the picture of their passport. */
export function Looks({ looks, status }: Pick<KycRecord, 'looks' | 'status'>) {
  return (
    <>
      <h3 className={styles.title}>Who looked at it</h3>
      {looks.length === 0 ? (
        <p>{status === 'pending' ? 'Nobody has looked at it yet.' : 'No look at it was recorded.'}</p>
      ) : (
        <ul className={styles.looks}>
          {looks.map(({ at, by }) => (
            <li key={`${at} ${by}`}>
              {by}
              <span className={styles.at}>
                <DateTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
