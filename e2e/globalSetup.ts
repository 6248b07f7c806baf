import { authenticatorCode } from './support/authenticator.ts'
import { changeSettings, createSession, PASSWORD, type Session } from './support/people.ts'

/** Signs the seeded operators in, for the tests that don't show how they do that themselves. */
export default async function signOperatorsIn(): Promise<void> {
  process.env.OPERATOR_SESSIONS ??= JSON.stringify({
    first: await operator('operator@example.com'),
    second: await operator('operator2@example.com'),
    auditor: await operator('auditor@example.com'),
  })
  // All tests share these sessions: they take longer than a second factor counts, and send more than one operator does.
  await changeSettings({ factorMinutes: 60, notificationsPerDay: 1000 })
}

// With the code before the present one, which is still good: a test that signs in by itself then has a newer one left.
// Once more, because it may have run out on its way.
async function operator(email: string): Promise<Session> {
  const signIn = () => createSession({ email, password: PASSWORD, code: authenticatorCode(1) })
  return signIn().catch(signIn)
}
