import { expect, test } from 'vitest'
import { keyForm } from './MakeKey.tsx'

const good = {
  passphrase: 'five quiet harbours',
  repeated: 'five quiet harbours',
  password: 'correct-horse-battery-staple',
}
const problemsOf = (changes: Partial<typeof good>) =>
  (keyForm.safeParse({ ...good, ...changes }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

test('a key is made with a passphrase that was typed twice, and the password', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ repeated: 'five quiet harbors' })).toEqual(['repeated: Passphrases must match'])
  expect(problemsOf({ password: '' })).toEqual(['password: Please enter your password'])
})

test('a passphrase that is short, common or known to the server is refused', () => {
  const both = (passphrase: string) => ({ passphrase, repeated: passphrase })
  expect(problemsOf(both('elevenchars'))).toEqual(['passphrase: Please use at least 12 characters'])
  expect(problemsOf(both('xy'.repeat(129)))).toEqual(['passphrase: Please use at most 256 characters'])
  expect(problemsOf(both('password1234'))).toEqual(['passphrase: This is one of the most common passwords'])
  expect(problemsOf(both(good.password))).toEqual([
    'passphrase: Please do not use your account’s password: our server sees it when you sign in',
  ])
})
