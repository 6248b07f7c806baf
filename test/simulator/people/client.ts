import { Secret, TOTP } from 'otpauth'
import type { ReceivedMail } from '../lane/mailboxes.ts'
import { NoAnswer, ORIGIN, type World } from '../lane/world.ts'
import type { Watch } from '../watch.ts'
import type { Home } from './homes.ts'

/**
 * The fields that the people read of an answer, whatever it answers. A wrong name is found by the comparison with the model or
 * by a rule, not by the type.
 */
export interface Body {
  readonly _id: string
  readonly code: string | undefined
  readonly reasons: readonly string[] | undefined
  readonly status: string
  readonly createdAt: string
  readonly kind: string
  /** USD. */
  readonly amount: number
  readonly token: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  readonly obstacles: readonly unknown[]
  readonly network: string
  readonly address: string
  readonly quantity: string | null
  /** What an operator sends for a withdrawal. */
  readonly toSend: { readonly quantity: string } | null | undefined
  readonly identity: string
  readonly firstApproval: { readonly amount: number; readonly reference: string } | undefined
  /** The request that a proposal reverses. */
  readonly request: { readonly _id: string } | undefined
  /** The lost second factor that a proposal removes. */
  readonly recovery: Pick<Body, 'document'> | undefined
  /** The approved identity document of the owner of a lost second factor. */
  readonly document: { readonly _id: string } | null | undefined
  readonly settled: { readonly amount: number; readonly forfeited: number } | null
  readonly units: number
  readonly value: number
  readonly pendingOut: number
  readonly strategy: string
  /** The announced date of a plan, and its next ones. */
  readonly announced: { readonly on: string } | null | undefined
  readonly next: readonly { readonly on: string }[] | undefined
  readonly available: number
  readonly pendingWithdrawals: number
  readonly deposits: number
  readonly withdrawals: number
  readonly allocating: number
  readonly invested: number
  readonly unrealised: number
  readonly owed: number
  readonly totalBalance: number
  readonly bonus: number
  readonly pendingDeposits: number
  readonly opening: StatementBalances
  readonly closing: StatementBalances
  readonly entries: readonly { readonly at: string; readonly change: number }[]
  readonly change: number
  readonly cost: number
  readonly pendingIn: number
  readonly balance: number
  readonly balances: Pick<
    Body,
    'available' | 'deposits' | 'withdrawals' | 'bonus' | 'totalBalance' | 'pendingDeposits'
  >
  readonly newDestinationHours: number
  /** Until when a withdrawal is delayed. */
  readonly heldUntil: string | null | undefined
  readonly isKnown: boolean
  readonly label: string
  readonly referralLink: string
  /** What an investor earned by inviting others. */
  readonly earned: number
  readonly email: string
}

/** An account at one moment, in USD. */
interface StatementBalances {
  readonly available: number
  readonly held: number
  readonly allocating: number
  readonly invested: number
  readonly unrealised: number
  readonly balance: number
  readonly totalBalance: number
}

export interface Reply {
  /** 0 if no answer came after several tries. */
  readonly status: number
  readonly body: Body
  /** The rows of a list; empty for any other answer. */
  readonly rows: readonly Body[]
  /** The path of the next page, if there is one. */
  readonly next?: string
}

export interface Sending {
  readonly json?: unknown
  readonly form?: () => FormData
  /** Sent with each try, so that a request that was carried out is not repeated. */
  readonly key?: string
}

const STEP_MS = 30_000
/** As often as a client tries again after a failure of the network or the platform. */
const TRIES = 12
/** As often as a person comes back to learn whether a request with a key was carried out. */
const RETURNS = 5
const RETURN_MS = 600_000

/** A browser of one person: it keeps cookies and a session, and tries again after failures. */
export class Client {
  email: string
  /** As the person remembers it. */
  password: string
  /** The secret of the authenticator app; null while none is on. */
  secret: string | null = null
  /** Those that are left, as the person kept them. */
  recoveryCodes: readonly string[] = []
  token: string | null = null
  readonly #world: World
  readonly #watch: Watch
  readonly #ip: string
  readonly #home: Home | null
  readonly #cookies = new Map<string, string>()
  #usedStep = 0

  constructor(
    world: World,
    watch: Watch,
    { email, password, ip, home = null }: { email: string; password: string; ip: string; home?: Home | null },
  ) {
    this.#world = world
    this.#watch = watch
    this.email = email
    this.password = password
    this.#ip = ip
    this.#home = home
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path)
  }

  post(path: string, json?: unknown, key?: string): Promise<Reply> {
    return this.send('POST', path, { ...(json !== undefined && { json }), ...(key !== undefined && { key }) })
  }

  /**
   * Sends a request. While no answer comes, or the platform is unavailable, it is sent again with the same key. The last try
   * may have been carried out although its answer was lost. So a person with a key comes back later and sends it again. Without
   * a key the caller has to look.
   */
  async send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    const most = sending.key === undefined ? TRIES : TRIES * (1 + RETURNS)
    for (let tries = 1; ; tries++) {
      const reply = await this.#once(method, path, sending)
      if (reply.status !== 0 && reply.status !== 503 && reply.body.code !== 'idempotency_in_progress')
        return reply
      if (tries === most) return reply
      // A killed run keeps its idempotency key for a minute.
      if (tries % TRIES === 0) this.#world.pass(RETURN_MS)
      else this.#world.pass(reply.status === 503 ? 3000 : 20_000)
    }
  }

  /** Signs in, with a recovery code or, if the app is at hand, with its code. Returns the refusal's code, or null. */
  async signIn(recoveryCode?: string): Promise<string | null> {
    this.token = null
    const credentials = { email: this.email, password: this.password }
    const code = recoveryCode ?? (this.secret === null ? undefined : this.code())
    const first = await this.post('/auth/login', { ...credentials, code })
    if (first.status !== 200) return first.body.code ?? 'no_answer'
    this.token = first.body.token
    return null
  }

  /** When the person's local month of a time began, or one so many months later. Epoch milliseconds. */
  monthAt(atMs: number, later = 0): number {
    const offsetMs = this.#home?.offsetMs ?? 0
    const local = new Date(atMs + offsetMs)
    return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + later) - offsetMs
  }

  signOut(): void {
    this.token = null
  }

  /** A code that was not used before. Waits for the next one if the current one was. */
  code(): string {
    if (this.secret === null) throw new Error(`${this.email} has no authenticator app`)
    let step = Math.floor(this.#world.now() / STEP_MS)
    if (step <= this.#usedStep) {
      this.#world.pass((this.#usedStep + 1) * STEP_MS - this.#world.now())
      step = this.#usedStep + 1
    }
    this.#usedStep = step
    return new TOTP({ secret: Secret.fromBase32(this.secret) }).generate({ timestamp: step * STEP_MS })
  }

  /** The newest mail with this subject, and a link to this page, that has arrived since a time. */
  mail(subject: RegExp, { sinceMs = 0, mailbox = this.email, link = '' } = {}): string | null {
    const mails = this.mails(subject, mailbox)
    return mails.find(({ atMs, text }) => atMs >= sinceMs && text.includes(link))?.text ?? null
  }

  /** The mails with this subject that have arrived, newest first. */
  mails(subject: RegExp, mailbox = this.email): readonly ReceivedMail[] {
    const mails = this.#world.mailboxes.read(mailbox, this.#world.now())
    return mails.filter((mail) => subject.test(mail.subject))
  }

  async #once(method: string, path: string, { json, form, key }: Sending): Promise<Reply> {
    const headers = new Headers({
      'CF-Connecting-IP': this.#ip,
      Origin: ORIGIN,
      'User-Agent': 'Simulated/1.0',
    })
    if (this.#home !== null) {
      headers.set('CF-IPCountry', this.#home.country)
      headers.set('Accept-Language', this.#home.languages)
    }
    if (this.token !== null) headers.set('Authorization', `Bearer ${this.token}`)
    if (key !== undefined) headers.set('Idempotency-Key', key)
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookies !== '') headers.set('Cookie', cookies)
    const xsrf = this.#cookies.get('XSRF-TOKEN')
    if (xsrf !== undefined) headers.set('X-XSRF-TOKEN', xsrf)
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    const body = json !== undefined ? JSON.stringify(json) : form?.()
    const request = new Request(`${ORIGIN}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    this.#world.pass(200)
    try {
      const { status, headers: answered, text } = await this.#world.send(request)
      for (const cookie of answered.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        this.#cookies.set(name, value)
      }
      const isJson = (answered.get('Content-Type') ?? '').includes('json')
      const next = /<\/api\/v1([^>]*)>; rel="next"/.exec(answered.get('Link') ?? '')?.[1]
      const reply: Reply = {
        status,
        ...bodyOf(isJson && text !== '' ? JSON.parse(text) : null),
        ...(next !== undefined && { next }),
      }
      if (reply.status === 401 && this.token !== null) this.token = null
      this.#watch.answered(method, path, reply)
      return reply
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      this.#watch.lost(method, path)
      return { status: 0, ...bodyOf(null) }
    }
  }
}

/** A refusal, a failure and an empty answer lack the fields that the caller wants: they read as undefined. */
function bodyOf(parsed: unknown): Pick<Reply, 'body' | 'rows'> {
  return { body: (parsed ?? {}) as Body, rows: Array.isArray(parsed) ? (parsed as Body[]) : [] }
}
