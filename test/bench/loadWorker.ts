import { env as bindings } from 'cloudflare:workers'
import { createApp } from '../../worker/app.ts'
import { runDueWork } from '../../worker/cron.ts'
import type { Env } from '../../worker/lib/env.ts'
import { routes } from '../../worker/routes.ts'
import { atOrigin } from './atOrigin.ts'
import { offline, PRICES } from './offline.ts'
import { addPeople } from './people.ts'

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
    if (pathname === '/bench/people') {
      const willing = { ...env, DB: bindings.DB }
      return Response.json(await addPeople(willing, Number(searchParams.get('count')), Date.now()))
    }
    if (pathname === '/bench/cron') {
      await runDueWork(env, Date.now())
      return Response.json({})
    }
    if (pathname === '/bench/refuse') {
      refusesUntilMs = Date.now() + Number(searchParams.get('seconds')) * 1000
      return Response.json({ untilMs: refusesUntilMs })
    }
    return app.fetch(atOrigin(request, env.PUBLIC_ORIGIN), env, context)
  },
} satisfies ExportedHandler<Env>

/** A database that answers like an overloaded D1 while it is told to refuse. */
function refusable(database: D1Database): D1Database {
  const refuse = () => {
    if (Date.now() < refusesUntilMs)
      throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
  }
  const calls = new Set(['all', 'batch', 'first', 'raw', 'run'])
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
          if (name !== 'prepare' && name !== 'bind') return result
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
export { VenueAccount } from '../../worker/index.ts'
