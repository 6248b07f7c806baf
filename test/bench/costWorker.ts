import { env as bindings } from 'cloudflare:workers'
import { createApp } from '../../worker/app.ts'
import { runDueWork } from '../../worker/cron.ts'
import type { Env } from '../../worker/lib/env.ts'
import { routes } from '../../worker/routes.ts'
import { countQueries, type QueryCost } from '../support/counting.ts'
import { atOrigin } from './atOrigin.ts'
import { offline, PRICES } from './offline.ts'
import { addPeople } from './people.ts'

/** What a piece of work used of what is billed. */
export interface MeasuredCost extends Pick<QueryCost, 'rowsRead' | 'rowsWritten'> {
  /** Objects stored in R2, and objects read. Deleting is free. */
  readonly classA: number
  readonly classB: number
  readonly mails: number
  readonly logLines: number
}

// Test helpers read the clock from `Date.now`, the Worker through `runtime`.
let nowMs = Date.now()
Date.now = () => nowMs

const { binding, counted } = countQueries(bindings.DB)
/** The newest mail to each address. */
const mailbox = new Map<string, string>()
const used = { classA: 0, classB: 0, mails: 0, logLines: 0 }
const env: Env = {
  ...(bindings as unknown as Env),
  DB: binding,
  FILES: countFiles(bindings.FILES),
  SEND_EMAIL: countMails(),
  APP_ENV: 'production',
  PUBLIC_ORIGIN: 'https://evenkeel.test',
  RATE_LIMITS: 'on',
  MAIL_FROM: 'Evenkeel <no-reply@evenkeel.test>',
  AUDIT_WITNESS_ADDRESS: 'witness@people.test',
  MARKET_BASE_URL: PRICES,
}
const app = createApp(routes)
countLogs()
offline(() => nowMs)

/** The production Worker with its own clock. It reports what each call and each of cron's jobs used, with work after the answer. */
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (searchParams.has('nowMs')) nowMs = Number(searchParams.get('nowMs'))
    if (pathname === '/bench/people') {
      // With the database that does not count.
      const uncounted = { ...env, DB: bindings.DB, FILES: bindings.FILES }
      return Response.json(await addPeople(uncounted, Number(searchParams.get('count')), nowMs))
    }
    if (pathname === '/bench/mail') return new Response(mailbox.get(searchParams.get('to') ?? ''))
    if (pathname === '/bench/cron') return Response.json(await cron())
    nowMs = Number(request.headers.get('X-Now'))
    const before = usedNow()
    const deferred: Promise<unknown>[] = []
    const context = {
      waitUntil: (work: Promise<unknown>) => void deferred.push(work),
      passThroughOnException: () => {},
      props: {},
    }
    const response = await app.fetch(
      atOrigin(request, env.PUBLIC_ORIGIN),
      env,
      context as unknown as ExecutionContext,
    )
    const body = await response.arrayBuffer()
    // Deferred work may defer more.
    for (let done = 0; done < deferred.length; done++) await deferred[done]
    const headers = new Headers(response.headers)
    headers.set('X-Used', JSON.stringify(since(before)))
    const { status } = response
    return new Response(status === 204 || status === 304 ? null : body, { status, headers })
  },
} satisfies ExportedHandler<Env>

/** Runs cron, and returns what each job used. */
async function cron(): Promise<Record<string, MeasuredCost>> {
  const jobs: Record<string, MeasuredCost> = {}
  let [job, before] = ['', usedNow()]
  const next = (name: string) => {
    if (job !== '') jobs[job] = since(before)
    job = name
    before = usedNow()
  }
  // Cron asks before each job whether it is skipped.
  const none = Object.assign(new Set<never>(), {
    has: (name: string) => {
      next(name)
      return false
    },
  })
  await runDueWork(env, nowMs, none)
  job += ' and the record of the runs'
  next('')
  return jobs
}

function usedNow(): MeasuredCost {
  const { rowsRead, rowsWritten } = counted
  return { rowsRead, rowsWritten, ...used }
}

function since(before: MeasuredCost): MeasuredCost {
  const now = usedNow()
  return {
    rowsRead: now.rowsRead - before.rowsRead,
    rowsWritten: now.rowsWritten - before.rowsWritten,
    classA: now.classA - before.classA,
    classB: now.classB - before.classB,
    mails: now.mails - before.mails,
    logLines: now.logLines - before.logLines,
  }
}

function countFiles(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get: (target, name: keyof R2Bucket) => {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (name === 'put' || name === 'list' || name === 'createMultipartUpload') used.classA += 1
        if (name === 'get' || name === 'head') used.classB += 1
        return method.apply(target, args)
      }
    },
  })
}

function countMails(): SendEmail {
  const part = {
    send: async (mail: EmailMessage | { readonly to: string; readonly text?: string }) => {
      used.mails += 1
      if ('text' in mail) mailbox.set(mail.to, mail.text ?? '')
      return { messageId: 'counted' }
    },
  }
  return part as unknown as SendEmail
}

function countLogs(): void {
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    const write = console[level].bind(console)
    console[level] = (...parts: unknown[]) => {
      used.logLines += 1
      if (level === 'error') write(...parts)
    }
  }
}

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount } from '../../worker/index.ts'
