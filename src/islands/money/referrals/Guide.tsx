import { useId } from 'react'
import type { ReferralTerms } from '../../../contract/money/referrals.ts'
import { mayEarn } from './mayEarn.ts'
import styles from './ReferralProgram.module.css'

/** How it goes, in three steps. `terms` are null while they are not known. */
export function Guide({ terms }: { terms: ReferralTerms | null }) {
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
            {terms === null || mayEarn(terms)
              ? 'Once they are identified and their first deposit is credited, the bonus is added to your balance. You can withdraw it.'
              : terms.bonus > 0
                ? 'You have had it as often as it is paid.'
                : 'None is paid at present. If that changes, it is paid for people whose first deposit is credited from then on.'}
          </p>
        </li>
      </ol>
    </section>
  )
}
