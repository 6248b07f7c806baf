import { isCommonPassword } from '../../../src/contract/identity/commonPasswords.ts'
import { site } from '../../../src/site.ts'
import { refuseField } from '../../lib/errors.ts'
import { LEAKED } from './leaked.ts'

/** Words of our own. A password is not one of them with digits and signs around it. */
const OUR_WORDS: readonly string[] = [
  site.brand,
  'password',
  'investor',
  'investment',
  'trading',
  'bitcoin',
  'ethereum',
]

/**
 * Refuses a new password that an attacker tries early: a common or leaked one, or one that is only a word of ours, the owner's name
 * or their e-mail address with digits or signs.
 * @param field what the password is called in the form
 * @param owner what others may know of the owner: name, e-mail address
 */
export function refuseGuessable(field: string, password: string, owner: readonly string[]): void {
  const text = password.normalize('NFKC').toLowerCase()
  if (isCommonPassword(text) || LEAKED.has(text))
    refuseField(field, 'That password is one of the most common ones. Please choose another')
  const letters = lettersOf(text)
  const known = [...OUR_WORDS, ...owner.flatMap((words) => [words, words.split('@')[0] ?? ''])]
  if (letters.length > 0 && known.some((words) => lettersOf(words.toLowerCase()) === letters))
    refuseField(field, 'That password is easily guessed from our name or yours. Please choose another')
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '')
}
