import type { Recipient } from '../../../contract/identity/kyc.ts'
import styles from './SealedTo.module.css'

/** Whose keys the document is encrypted to, for who wants to compare them. */
export function SealedTo({ recipients }: { recipients: readonly Recipient[] }) {
  return (
    <details className={styles.details}>
      <summary>Encrypted in your browser, to {countOf(recipients)}</summary>
      <p>
        It leaves your device encrypted. Only these keys open it, and our server has none of them. You trust
        this page to encrypt as it says; whoever wants to check the keys asks us for their fingerprints in
        another way, such as by telephone.
      </p>
      <ul className={styles.keys}>
        {recipients.map(({ recipient, name, fingerprint }) => (
          <li key={recipient}>
            {name}
            <code className={styles.fingerprint}>{fingerprint}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

function countOf({ length }: readonly Recipient[]): string {
  return length === 1 ? 'one key' : `${length} keys`
}
