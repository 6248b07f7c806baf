import { useId } from 'react'
import styles from './ReferralProgram.module.css'

/** How it goes, in three steps. `bonus` in USD; null while it is not known. */
export function Guide({ bonus }: { bonus: number | null }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        How it works
      </h2>
      <ol className={styles.steps}>
        <li>
          <h3>Send invitation</h3>
          <p>Copy your link and send it to somebody you know.</p>
        </li>
        <li>
          <h3>Registration</h3>
          <p>
            They open an account with it. You see their initials and the day here, and nothing else about
            them.
          </p>
        </li>
        <li>
          <h3>Get referral bonus</h3>
          <p>
            {bonus === 0
              ? 'None is paid at present. If that changes, it is paid for people whose first deposit is credited from then on.'
              : 'Once they are identified and their first deposit is credited, the bonus is added to your balance. You can withdraw it.'}
          </p>
        </li>
      </ol>
    </section>
  )
}
