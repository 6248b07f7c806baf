import { env as bindings } from 'cloudflare:workers'
import { newInvestor } from '../test/support/people.ts'
import { createApp } from '../worker/app.ts'
import { runDueWork } from '../worker/cron.ts'
import { seedWhenEmpty } from '../worker/dev/seed/seed.ts'
import type { Env } from '../worker/lib/env.ts'
import { routes } from '../worker/routes.ts'
import { offline, PRICES } from './offline.ts'

let refusesUntilMs = 0
const env: Env = {
  ...(bindings as unknown as Env),
  DB: refusable(bindings.DB),
  APP_ENV: 'production',
  PUBLIC_ORIGIN: 'https://evenkeel.test',
  RATE_LIMITS: 'on',
  MAIL_FROM: 'Evenkeel <no-reply@evenkeel.test>',
  AUDIT_WITNESS_ADDRESS: 'witness@people.test',
  MARKET_BASE_URL: PRICES,
  SEND_EMAIL: { send: async () => ({ messageId: 'accepted' }) } as unknown as SendEmail,
}
const app = createApp(routes)
offline(Date.now)

/** The production Worker with its rate limits. Its database can be told to refuse every call for some time. */
export default {
  async fetch(request, _, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/bench/people') return Response.json(await addPeople(Number(searchParams.get('count'))))
    if (pathname === '/bench/cron') {
      await runDueWork(env, Date.now())
      return Response.json({})
    }
    if (pathname === '/bench/refuse') {
      refusesUntilMs = Date.now() + Number(searchParams.get('seconds')) * 1000
      return Response.json({ untilMs: refusesUntilMs })
    }
    return app.fetch(request, env, context)
  },
} satisfies ExportedHandler<Env>

/** Adds investors with money, a second factor and a session. First adds the sample operators, wallets and strategies. */
async function addPeople(count: number): Promise<{ token: string; totpSecret: string }[]> {
  await seedWhenEmpty({ ...env, DB: bindings.DB, FILES: bindings.FILES }, Date.now())
  const { results } = await bindings.DB.prepare(
    "SELECT id FROM users WHERE email LIKE 'operator%@example.com' ORDER BY email",
  ).all<{ id: string }>()
  const [first, second] = results.map(({ id }) => id)
  if (first === undefined || second === undefined) throw new Error('There are no operators')
  const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const people = []
  for (let n = 0; n < count; n++) {
    const options = { totpSecret, availableCents: 1_000_000, operators: [first, second] as const }
    people.push({ token: (await newInvestor(options)).token, totpSecret })
  }
  return people
}

/** A database that answers like an overloaded D1 while it is told to refuse. */
function refusable(database: D1Database): D1Database {
  const refuse = () => {
    if (Date.now() < refusesUntilMs)
      throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
  }
  const calls = new Set(['all', 'batch', 'exec', 'first', 'raw', 'run'])
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (calls.has(String(name))) refuse()
          const result: unknown = value.apply(
            target,
            // A batch takes the statements themselves.
            name === 'batch' ? [(args[0] as object[]).map((each) => originals.get(each) ?? each)] : args,
          )
          if (name !== 'prepare' && name !== 'bind' && name !== 'withSession') return result
          const wrapped = wrap(result as object)
          originals.set(wrapped, result as object)
          return wrapped
        }
      },
    })
  const originals = new WeakMap<object, object>()
  return wrap(database)
}

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount } from '../worker/index.ts'
