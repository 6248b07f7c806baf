import type { World } from './lane/world.ts'
import type { Reply } from './people/client.ts'

/** A rule of `rules.ts` was broken. */
export class Broken extends Error {
  readonly rule: string

  constructor(rule: string, finding: string) {
    super(`${rule}: ${finding}`)
    this.rule = rule
  }
}

/** Counts requests and answers, and keeps the newest ones to show what led to a broken rule. */
export interface Watch {
  readonly requests: number
  readonly decisions: number
  readonly checks: number
  /** The newest requests with their answers. */
  readonly trace: readonly string[]
  answered(method: string, path: string, reply: Reply): void
  lost(method: string, path: string): void
  decided(): void
  checked(rules: number): void
}

const KEPT = 30

export function openWatch(world: World): Watch {
  let requests = 0
  let decisions = 0
  let checks = 0
  const trace: string[] = []
  const note = (line: string): void => {
    requests += 1
    trace.push(`${new Date(world.now()).toISOString()} ${line}`)
    if (trace.length > KEPT) trace.shift()
  }
  return {
    get requests() {
      return requests
    },
    get decisions() {
      return decisions
    },
    get checks() {
      return checks
    },
    trace,
    answered: (method, path, { status, body }) => {
      note(`${method} ${path} ${status} ${body.code ?? ''}`.trimEnd())
      if (body.code === 'idempotency_in_progress' && world.isCalm())
        throw new Broken('noKeyLeftRunning', `${method} ${path} found its key in use`)
      // Only injected failures may make the platform unavailable, and nothing makes it fail.
      if (status >= 500 && status !== 503)
        throw new Broken('noServerError', `${method} ${path} answered ${status}: ${world.logs.at(-1)}`)
    },
    lost: (method, path) => note(`${method} ${path} no answer`),
    decided: () => {
      decisions += 1
    },
    checked: (rules) => {
      checks += rules
    },
  }
}
