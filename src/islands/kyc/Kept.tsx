import type { KycRecord } from '../../contract/kyc.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Facts } from '../../design/Facts.tsx'
import styles from './Kept.module.css'

/** How a document is kept, and each look at it: what an investor may know about the picture of their passport. */
export function Kept({ record: { sealedBy, looks } }: { record: Pick<KycRecord, 'sealedBy' | 'looks'> }) {
  return (
    <>
      <Facts
        facts={[
          {
            label: 'Encrypted',
            value:
              sealedBy === 'browser'
                ? 'In your browser, to the reviewers’ keys'
                : 'By our server, when it arrived',
          },
        ]}
      />
      <h3 className={styles.title}>Who looked at it</h3>
      {looks.length === 0 ? (
        <p>Nobody has looked at it yet.</p>
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
