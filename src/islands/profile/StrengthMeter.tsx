import { strengthOf } from './passwordStrength.ts'
import styles from './StrengthMeter.module.css'

const LEVELS = [1, 2, 3, 4] as const

/** Says what a password is worth while it is typed. The words carry it; the bars are for the eye. */
export function StrengthMeter({ password, known }: { password: string; known: readonly string[] }) {
  const strength = password === '' ? null : strengthOf(password, known)
  return (
    <div className={styles.meter} data-level={strength?.level}>
      <div className={styles.bars} aria-hidden="true">
        {LEVELS.map((level) => (
          <span key={level} className={strength && level <= strength.level ? styles.reached : undefined} />
        ))}
      </div>
      <p role="status">{strength?.words ?? 'At least 8 characters. Length counts more than odd signs.'}</p>
    </div>
  )
}
