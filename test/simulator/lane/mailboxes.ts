import type { Chance } from './chance.ts'
import type { Faults } from './faults.ts'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** When it can be read: later than it was sent if it was delayed. Epoch milliseconds. */
  readonly atMs: number
}

export interface HandedOverMail {
  readonly name: string
  readonly to: string
  readonly subject: string
}

/** The mailboxes of everybody, and the mail provider in front of them. */
export interface Mailboxes {
  /** The mails to an address that have arrived, newest first. */
  read(address: string, nowMs: number): readonly ReceivedMail[]
  /** Answers like Resend's `POST /emails`. A repeated `Idempotency-Key` delivers nothing again. */
  deliver(init: RequestInit, nowMs: number, faults: Faults, chance: Chance): Response
  /** The mails that were handed over since the last call: their name and recipient. */
  takeHandedOver(): readonly HandedOverMail[]
}

const HOUR_MS = 3_600_000
/** More than a person's mailbox needs; older mails are dropped. */
const MOST_KEPT = 20

export function openMailboxes(): Mailboxes {
  const boxes = new Map<string, ReceivedMail[]>()
  const seen = new Set<string>()
  let handedOver: HandedOverMail[] = []
  return {
    read: (address, nowMs) =>
      (boxes.get(address.toLowerCase()) ?? []).filter(({ atMs }) => atMs <= nowMs).toReversed(),
    deliver: (init, nowMs, faults, chance) => {
      if (faults.happens('mail_bounced', chance, 5)) return new Response('{}', { status: 422 })
      const key = new Headers(init.headers).get('Idempotency-Key') ?? ''
      const { to, subject, text } = JSON.parse(String(init.body)) as {
        to: [string]
        subject: string
        text: string
      }
      const address = to[0].toLowerCase()
      const isDelayed = faults.happens('mail_delayed', chance, 5)
      const atMs = nowMs + (isDelayed ? chance.whole(1, 6) * HOUR_MS : 0)
      const isTwice = faults.happens('mail_twice', chance, 5)
      handedOver.push({ name: key, to: address, subject })
      if (!seen.has(key) || isTwice) {
        const box = boxes.get(address) ?? []
        box.push({ to: address, subject, text, atMs })
        boxes.set(address, box.slice(-MOST_KEPT))
      }
      seen.add(key)
      // The provider took it, and the Worker does not learn that.
      return new Response('{"id":"simulated"}', { status: isTwice ? 500 : 200 })
    },
    takeHandedOver: () => {
      const taken = handedOver
      handedOver = []
      return taken
    },
  }
}
