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

/** Rates a password while it is typed. The bars only repeat the text. */
export function StrengthMeter({ password, known, min = PASSWORD_MIN }: StrengthMeterProps) {
  const strength = password === '' ? null : measureStrength(password, known, min)
  return (
    <div className={styles.meter} data-level={strength?.level}>
      <div className={styles.bars} aria-hidden="true">
        {LEVELS.map((level) => (
          <span key={level} className={strength && level <= strength.level ? styles.reached : undefined} />
        ))}
      </div>
      <p role="status">
        {strength?.words ?? `At least ${min} characters. Length matters more than special characters.`}
      </p>
    </div>
  )
}

interface Strength {
  /** 0 means refused. */
  level: 0 | 1 | 2 | 3 | 4
  words: string
}

/**
 * Rates a new password. The server refuses level 0. The rest depends on the length, without repeated or
 * consecutive characters; personal facts make it weak. Reuse of the password on other sites cannot be detected.
 *
 * @param known facts that an attacker may know about the owner: name, e-mail address
 * @param min minimum length; higher if the password can be attacked offline
 */
export function measureStrength(
  password: string,
  known: readonly string[] = [],
  min: number = PASSWORD_MIN,
): Strength {
  if (password.length < min) return { level: 0, words: `Too short. At least ${min} characters are needed.` }
  if (isCommonPassword(password))
    return { level: 0, words: 'Refused: it is one of the most common passwords.' }
  if (hasKnownWord(password, known))
    return { level: 1, words: 'Weak: it contains your name or e-mail address.' }
  const length = countUnpredictable(password)
  if (length < PASSWORD_MIN)
    return { level: 1, words: 'Weak: most of it is repeated or in sequence, like abc or 123.' }
  if (length < 12)
    return { level: 2, words: 'Acceptable. Each extra character makes it much harder to guess.' }
  if (length < 16) return { level: 3, words: 'Good. Four or five unrelated words are even better.' }
  return { level: 4, words: 'Strong, if you use it nowhere else.' }
}

/** Ignores case, and known words of fewer than four letters. */
function hasKnownWord(password: string, known: readonly string[]): boolean {
  const text = password.toLowerCase()
  return known
    .flatMap((words) => words.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .some((word) => word.length >= 4 && text.includes(word))
}

/** Counts characters that do not repeat or continue the one before. */
function countUnpredictable(password: string): number {
  const codes = [...password.toLowerCase()].map((character) => character.codePointAt(0) ?? 0)
  return codes.filter((code, index) => {
    const before = codes[index - 1]
    return before === undefined || Math.abs(code - before) > 1
  }).length
}
