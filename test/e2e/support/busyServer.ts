import { withOwnServer } from '../../commands/own-server.mjs'
import { authenticatorCode } from './authenticator.ts'
import { callApi } from './http.ts'
import { changeSettings, PASSWORD, type Session } from './people.ts'
import { test as base } from './test.ts'

interface BusyServer {
  server: string
  first: Session
  second: Session
}

/** Tests on a server of their own, with the busy day of `npm start -- --busy`. */
export const test = base.extend<object, { busy: BusyServer }>({
  busy: [
    ({ browserName: _ }, use) => withOwnServer(async (server) => use(await signIn(server)), {}, ['--busy']),
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: ({ busy }, use) => use(busy.server),
})

async function signIn(server: string): Promise<BusyServer> {
  const first = await signInOperator(server, 'operator@example.com')
  const second = await signInOperator(server, 'operator2@example.com')
  // Both sessions outlast the default time of a fresh factor.
  await changeSettings({ factorMinutes: 60 }, { first, second, server })
  return { server, first, second }
}

// With the previous code, so that a test can use the current one.
function signInOperator(server: string, email: string): Promise<Session> {
  const sendCode = () =>
    callApi<Session>('POST', '/auth/login', {
      server,
      json: { email, password: PASSWORD, code: authenticatorCode(1) },
    })
  return sendCode().catch(sendCode)
}
