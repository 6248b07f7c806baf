import { site } from '../../../src/site.ts'
import { refuseField } from '../../lib/errors.ts'
import { LEAKED } from './leaked.ts'

/** Words of this place: nobody's password is one of them, with whatever digits and signs around it. */
const OF_THIS_PLACE: readonly string[] = [
  site.brand,
  'password',
  'investor',
  'investment',
  'trading',
  'bitcoin',
  'ethereum',
]

/**
 * Refuses a new password that is tried early: one of the 5,000 that lead the lists of leaked ones, and one that is nothing
 * but a word of this place, the owner's name or their e-mail address with digits or signs. The contract's own list of a few
 * hundred, which pages hold as well, was asked before.
 *
 * @param field what the password is called in the form
 * @param owner what anybody may know of them: name, e-mail address
 */
export function refuseGuessable(field: string, password: string, owner: readonly string[]): void {
  const text = password.normalize('NFKC').toLowerCase()
  if (LEAKED.has(text))
    refuseField(field, 'That password is one of the most common ones. Please choose another')
  const letters = lettersOf(text)
  const known = [...OF_THIS_PLACE, ...owner.flatMap((words) => [words, words.split('@')[0] ?? ''])]
  if (letters.length > 0 && known.some((words) => lettersOf(words.toLowerCase()) === letters))
    refuseField(field, 'That password is easily guessed from our name or yours. Please choose another')
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '')
}
