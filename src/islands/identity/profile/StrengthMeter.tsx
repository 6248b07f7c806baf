import { PASSWORD_MIN } from '../../../contract/identity/passwords.ts'
import { strengthOf } from './passwordStrength.ts'
import styles from './StrengthMeter.module.css'

const LEVELS = [1, 2, 3, 4] as const

interface StrengthMeterProps {
  password: string
  /** What anybody may know of the owner. */
  known: readonly string[]
  /** How many characters it has at least. */
  min?: number
}

/** Says what a password is worth while it is typed. The words carry it; the bars are for the eye. */
export function StrengthMeter({ password, known, min = PASSWORD_MIN }: StrengthMeterProps) {
  const strength = password === '' ? null : strengthOf(password, known, min)
  return (
    <div className={styles.meter} data-level={strength?.level}>
      <div className={styles.bars} aria-hidden="true">
        {LEVELS.map((level) => (
          <span key={level} className={strength && level <= strength.level ? styles.reached : undefined} />
        ))}
      </div>
      <p role="status">
        {strength?.words ?? `At least ${min} characters. Length counts more than odd signs.`}
      </p>
    </div>
  )
}
