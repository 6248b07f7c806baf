import { isCommonPassword } from '../../../contract/identity/commonPasswords.ts'
import { PASSWORD_MIN } from '../../../contract/identity/passwords.ts'
import styles from './StrengthMeter.module.css'

const LEVELS = [1, 2, 3, 4] as const

interface StrengthMeterProps {
  password: string
  /** Facts about the owner that an attacker would try. */
  known: readonly string[]
  min?: number
}

/** Rates a password while it is typed. The text carries the meaning; the bars repeat it. */
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

interface Strength {
  /** 0 is refused. */
  level: 0 | 1 | 2 | 3 | 4
  words: string
}

/**
 * What a new password is worth as far as it can be told here. What is refused is what the server refuses. Beyond that
 * it is length that counts, less what repeats or runs on and what anybody knows of the owner; whether the password is
 * used elsewhere, which matters more than all of this, nobody can see from it.
 *
 * @param known what anybody may know of the owner: name, e-mail address
 * @param min how many characters it has at least: more for what can be tried without asking us
 */
export function strengthOf(
  password: string,
  known: readonly string[] = [],
  min: number = PASSWORD_MIN,
): Strength {
  if (password.length < min) return { level: 0, words: `Too short. At least ${min} characters are needed.` }
  if (isCommonPassword(password))
    return { level: 0, words: 'Refused: it is one of the most common passwords, which are tried first.' }
  if (holdsAny(password, known))
    return { level: 1, words: 'Weak: it holds your name or e-mail address, which are tried early.' }
  const length = unforeseen(password)
  if (length < PASSWORD_MIN)
    return { level: 1, words: 'Weak: most of it repeats itself or runs on, like abc or 123.' }
  if (length < 12)
    return { level: 2, words: 'Acceptable. Each further character makes it much harder to guess.' }
  if (length < 16)
    return { level: 3, words: 'Good. Four or five words that don’t belong together are better still.' }
  return { level: 4, words: 'Strong by its length, if you use it nowhere else.' }
}

/** Whether a known word of at least four letters is in the password, ignoring case. */
function holdsAny(password: string, known: readonly string[]): boolean {
  const text = password.toLowerCase()
  return known
    .flatMap((words) => words.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .some((word) => word.length >= 4 && text.includes(word))
}

/** Counts characters that do not repeat or continue the one before. */
function unforeseen(password: string): number {
  const codes = [...password.toLowerCase()].map((character) => character.codePointAt(0) ?? 0)
  return codes.filter((code, index) => {
    const before = codes[index - 1]
    return before === undefined || Math.abs(code - before) > 1
  }).length
}
