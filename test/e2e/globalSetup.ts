import { authenticatorCode } from './support/authenticator.ts'
import { changeSettings, createSession, PASSWORD, type Session } from './support/people.ts'

/** Signs the seeded operators in for all tests that do not test their sign-in. */
export default async function signInOperators(): Promise<void> {
  process.env.OPERATOR_SESSIONS ??= JSON.stringify({
    first: await signInOperator('operator@example.com'),
    second: await signInOperator('operator2@example.com'),
    auditor: await signInOperator('auditor@example.com'),
    support: await signInOperator('support@example.com'),
  })
  // All tests share these sessions. They outlast the default time of a fresh factor and send more notifications than allowed.
  await changeSettings({ factorMinutes: 60, notificationsPerDay: 1000 })
}

// Uses the previous code, which is still valid, so that a test that signs in itself can use the current one.
// Retries once, because the code may expire on the way.
async function signInOperator(email: string): Promise<Session> {
  const signIn = () => createSession({ email, password: PASSWORD, code: authenticatorCode(1) })
  return signIn().catch(signIn)
}
