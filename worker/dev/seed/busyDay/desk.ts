import { Secret, TOTP } from 'otpauth'
import { toIso } from '../../../http/paging.ts'
import { openSession } from '../../../identity/signIn/openSession.ts'
import { type Database, runBatch } from '../../../lib/database.ts'
import type { Env } from '../../../lib/env.ts'
import { readMailsTo } from '../../mailbox.ts'
import { SAMPLE_TOTP_SECRET } from '../sampleKeys.ts'
import type { BusyPerson } from './people.ts'

/** Answers a request as the Worker does, with all work that follows the answer. */
export type AnswerRequest = (request: Request, env: Env) => Promise<Response>

interface SentFields {
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string | Blob>>
}

interface Refusal {
  readonly code?: string
  readonly reasons?: readonly string[]
  readonly msg?: string
}

/** Calls the API as the people of the busy day, at the times of their acts. */
export class Desk {
  readonly #env: Env
  readonly #db: Database
  readonly #answer: AnswerRequest
  readonly people: ReadonlyMap<string, BusyPerson>

  constructor(env: Env, db: Database, answer: AnswerRequest, people: ReadonlyMap<string, BusyPerson>) {
    // So many acts of so few people would pass the limits.
    this.#env = { ...env, RATE_LIMITS: 'off' }
    this.#db = db
    this.#answer = answer
    this.people = people
  }

  find(key: string): BusyPerson {
    const person = this.people.get(key)
    if (person === undefined) throw new Error(`Nobody of the busy day is called ${key}`)
    return person
  }

  /** Calls the API, proves the act where that is asked, and returns the body if it is JSON. Throws if the call is refused. */
  async call<Body>(
    who: string | null,
    atMs: number,
    method: string,
    path: string,
    sent: SentFields = {},
  ): Promise<Body> {
    const person = who === null ? null : this.find(who)
    const token = person && (await this.#openSession(person, atMs))
    const first = await this.#send(token, atMs, method, path, sent)
    const refusal = (first.ok ? {} : await first.clone().json()) as Refusal
    const code = await this.#findCode(person, atMs, refusal)
    const response =
      code === null
        ? first
        : await this.#send(token, atMs, method, path, { json: { ...Object(sent.json), ...code } })
    if (!response.ok) throw new Error(`${method} ${path} was refused: ${await response.text()}`)
    const isJson = response.headers.get('Content-Type') === 'application/json'
    return (isJson ? await response.json() : undefined) as Body
  }

  /** The newest mail to somebody. */
  async readMail(who: string): Promise<string> {
    const [mail] = await readMailsTo(this.#env, this.find(who).email)
    return mail?.text ?? ''
  }

  readCode = async (who: string): Promise<string> => /\b\d{6}\b/.exec(await this.readMail(who))?.[0] ?? ''

  /** A code of the seeded authenticator app, or of another one, at a time. */
  computeCode(atMs: number, secret = SAMPLE_TOTP_SECRET): string {
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })
  }

  async #findCode(person: BusyPerson | null, atMs: number, { code, reasons }: Refusal) {
    if (person === null) return null
    if (reasons?.[0] === 'bound_factor') return { code: this.computeCode(atMs) }
    if (code !== 'step_up_required') return null
    const mailed = /\b\d{6}\b/.exec((await readMailsTo(this.#env, person.email))[0]?.text ?? '')?.[0]
    return reasons?.[0] === 'new_factor' ? { proof: mailed } : { code: mailed }
  }

  async #openSession(person: BusyPerson, atMs: number): Promise<string> {
    const { token, statement } = await openSession(this.#env, this.#db, {
      userId: person.id,
      nowMs: atMs,
      deviceHash: person.deviceHash,
      ip: person.ip,
      userAgent: 'Mozilla/5.0 (sample)',
      factorBy: person.deviceHash === null ? 'totp' : null,
    })
    await runBatch(this.#db, [statement])
    return token
  }

  #send(
    token: string | null,
    atMs: number,
    method: string,
    path: string,
    { json, form }: SentFields,
  ): Promise<Response> {
    const headers = new Headers({ 'X-Development-Time': toIso(atMs) })
    if (token !== null) headers.set('Authorization', `Bearer ${token}`)
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    const fields = new FormData()
    for (const [name, value] of Object.entries(form ?? {})) fields.append(name, value)
    const body = form === undefined ? JSON.stringify(json) : fields
    return this.#answer(
      new Request(`${this.#env.PUBLIC_ORIGIN}/api/v1${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      }),
      this.#env,
    )
  }
}
