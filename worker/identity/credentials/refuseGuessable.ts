import leakedPasswords from '../../../data/leakedPasswords.json' with { type: 'json' }
import { isCommonPassword } from '../../../src/contract/identity/commonPasswords.ts'
import { site } from '../../../src/site.ts'
import { refuseField } from '../../lib/errors.ts'

/** Words that a password must not consist of, apart from digits and signs. */
const SITE_WORDS: readonly string[] = [
  site.brand,
  'password',
  'investor',
  'investment',
  'trading',
  'bitcoin',
  'ethereum',
]

/**
 * Refuses a new password that an attacker tries early: a common or leaked one, or one that is only a site word, the owner's name
 * or their e-mail address, with digits or signs.
 * @param field the password's field in the form
 * @param owner public facts about the owner: name, e-mail address
 */
export function refuseGuessable(field: string, password: string, owner: readonly string[]): void {
  const text = password.normalize('NFKC').toLowerCase()
  if (isCommonPassword(text) || isLeaked(text))
    refuseField(field, 'That password is one of the most common ones. Please choose another')
  const letters = stripToLetters(text)
  const guessable = [...SITE_WORDS, ...owner.flatMap((words) => [words, words.split('@')[0] ?? ''])]
  if (letters.length > 0 && guessable.some((words) => stripToLetters(words.toLowerCase()) === letters))
    refuseField(field, 'That password is easily guessed from our name or yours. Please choose another')
}

let leaked: ReadonlySet<string> | undefined

function isLeaked(password: string): boolean {
  leaked ??= new Set(leakedPasswords)
  return leaked.has(password)
}

function stripToLetters(text: string): string {
  return text.replace(/[^\p{L}]/gu, '')
}
