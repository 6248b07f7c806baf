import type { FactorRecovery } from '../../../../src/contract/console/factorRecoveries.ts'
import { SAMPLE_PASSWORD } from '../sampleKeys.ts'
import type { Act } from './busyDay.ts'
import type { Desk } from './desk.ts'

/** Messages, lost factors, locks, closures and proposals. */
export function listOtherActs(desk: Desk): Act[] {
  return [
    ...MESSAGES.map(
      ([hoursAgo, who, message]): Act => [
        hoursAgo,
        (atMs) =>
          typeof who === 'string'
            ? desk.call(who, atMs, 'POST', '/users/messages', { json: { message } })
            : desk.call(null, atMs, 'POST', '/contact-us', { json: { ...who, message } }),
      ],
    ),
    ...[['greta', 6 * 24] as const, ['daan', 70] as const, ['beto', 8] as const].map(
      ([who, hoursAgo]): Act => [hoursAgo, (atMs) => reportLostFactor(desk, who, atMs)],
    ),
    [60, (atMs) => proposeRecovery(desk, 'daan', atMs)],
    // A second factor that was turned on a day before a withdrawal.
    [45, (atMs) => turnOnFactor(desk, 'ines', atMs)],
    [31, (atMs) => turnOnFactor(desk, 'liam', atMs)],
    [4.5, (atMs) => lock(desk, 'liam', atMs)],
    [
      0.5,
      (atMs) =>
        desk.call('operator', atMs, 'POST', `/operator/investors/${desk.find('liam').id}/unfreeze`, {
          json: { reason: 'They called back from the number on file.' },
        }),
    ],
    [
      10.5,
      (atMs) =>
        desk.call('operator2', atMs, 'POST', `/operator/investors/${desk.find('kaisa').id}/freeze`, {
          json: { reason: 'The bank of the sender asked about a payment.' },
        }),
    ],
    ...NOTES.map(
      ([hoursAgo, operator, who, text]): Act => [
        hoursAgo,
        (atMs) =>
          desk.call(operator, atMs, 'POST', `/operator/investors/${desk.find(who).id}/notes`, {
            json: { text },
          }),
      ],
    ),
    ...HANDOVER.map(
      ([hoursAgo, operator, text]): Act => [
        hoursAgo,
        (atMs) => desk.call(operator, atMs, 'POST', '/operator/handover', { json: { text } }),
      ],
    ),
    [31, (atMs) => readHandover(desk, atMs)],
    ...['bela', 'cora'].map(
      (who, at): Act => [
        28 + at,
        (atMs) => desk.call(who, atMs, 'POST', '/users/close', { json: { password: SAMPLE_PASSWORD } }),
      ],
    ),
    [
      29,
      (atMs) =>
        propose(desk, 'operator2', atMs, {
          kind: 'bonus',
          investor: desk.find('anna').id,
          amount: '50',
          reason: 'A thank-you for the report of a fault.',
        }),
    ],
    [
      8.2,
      (atMs) =>
        propose(desk, 'operator', atMs, {
          kind: 'settings',
          settings: { twoPersonLimit: 5_000 },
          reason: 'Three deposits came in just under the limit.',
        }),
    ],
    [
      3.2,
      (atMs) =>
        propose(desk, 'operator2', atMs, {
          kind: 'announcement',
          topic: 'features',
          subject: 'Sample news',
          text: 'You can now download your statement as a file.',
        }),
    ],
    [
      2.2,
      async (atMs) =>
        propose(desk, 'operator2', atMs, {
          kind: 'reversal',
          request: await findCredit(desk, 'kaisa', atMs),
          reason: 'The payment was taken back by its bank.',
        }),
    ],
  ]
}

/** Operators' notes about investors. */
const NOTES = [
  [5 * 24, 'operator2', 'hale', 'Asked by phone for the export of the data. Explained where to download it.'],
  [30, 'operator', 'greta', 'Rang the number on file twice. Nobody answered. Try again before 18:00.'],
  [9, 'operator2', 'jan', 'Sold a flat in October, says the bank. The papers are to follow by mail.'],
  [7, 'operator', 'jan', 'The papers have come. They fit the amount.'],
] as const

/** Notes from one shift to the next. */
const HANDOVER = [
  [
    32,
    'operator',
    'All payouts of today are done. The bank of Kaisa Näyte rings back tomorrow about a payment.',
  ],
  [
    8.1,
    'operator2',
    'Two reports of lost phones are overdue: nobody answers at Greta Probka’s number. Daan Voorbeeld needs a second reviewer.\nThe notary’s letter about the estate has not come yet. No alarm stands.',
  ],
] as const

/** The latest one first. Who is not signed in gives name and address. */
const MESSAGES = [
  [
    6 * 24,
    'hale',
    'Please send me a copy of all data that you have about me, and then delete what you no longer need.',
  ],
  [4 * 24, 'nils', 'I sent my passport more than a week ago and have heard nothing. What is missing?'],
  [
    3 * 24,
    'elsa',
    'This is a formal complaint. My deposit has not been credited in time. Please tell me how you handle it and until when.',
  ],
  [2 * 24, 'daan', 'I lost my phone. I asked for the removal of my second factor. What do you need from me?'],
  [
    26,
    { name: 'Nora Notary (sample)', email: 'notary@office.example' },
    'I settle the estate of Mr Paul Specimen, who died on 3 June. Did he have an account with you? I can send the certificate of inheritance.',
  ],
  [20, 'felix', 'I typed the wrong transaction id for my deposit of $3,000. Can you change it?'],
  [
    5,
    { name: 'Inspector Sample', email: 'inspector@authority.example' },
    'We ask for the records of an account under the order that we send by letter. Who receives it at your company?',
  ],
  [
    3,
    { name: 'Liam Sampla', email: 'liam.sampla@busy.example' },
    'I locked my account because of a mail that I did not expect. It was me after all. Please lift the lock.',
  ],
  [2, 'anna', 'When will my deposit of $250 be credited?'],
  [0.75, 'jan', 'Please pay out my withdrawal today, it is urgent.'],
  [
    0.5,
    { name: 'Vito Visitor', email: 'visitor@home.example' },
    'How do I open an account, and what does it cost?',
  ],
] as const

async function reportLostFactor(desk: Desk, who: string, atMs: number): Promise<void> {
  const { email } = desk.find(who)
  const json = { email, password: SAMPLE_PASSWORD }
  await desk.call(null, atMs, 'POST', '/auth/factor-recovery', { json })
  await desk.call(null, atMs + 60_000, 'POST', '/auth/factor-recovery/confirm', {
    json: { ...json, code: await desk.readCode(who) },
  })
}

async function proposeRecovery(desk: Desk, who: string, atMs: number): Promise<void> {
  const open = await desk.call<FactorRecovery[]>(
    'operator',
    atMs,
    'GET',
    '/operator/factor-recoveries?status=open',
  )
  const lost = open.find(({ investor }) => investor._id === desk.find(who).id)
  if (lost?.document) await desk.call('operator', atMs, 'GET', `/operator/kyc/${lost.document._id}/document`)
  await desk.call('operator', atMs, 'POST', `/operator/factor-recoveries/${lost?._id}/propose`, {
    json: {
      reason: 'Called back on the number on file. The passport was shown by video.',
      riskReason: 'The owner named the last deposit and the change of phone.',
    },
  })
}

async function turnOnFactor(desk: Desk, who: string, atMs: number): Promise<void> {
  const { secret } = await desk.call<{ secret: string }>(who, atMs, 'POST', '/auth/two-factor/setup')
  await desk.call(who, atMs, 'POST', '/auth/two-factor/enable', {
    json: { code: desk.computeCode(atMs, secret), password: SAMPLE_PASSWORD },
  })
}

/** Locks an account with the link of its newest security mail. */
async function lock(desk: Desk, who: string, atMs: number): Promise<void> {
  const token = /\/lock-account\?token=([\w.-]+)/.exec(await desk.readMail(who))?.[1]
  await desk.call(null, atMs, 'POST', '/auth/lock-account', { json: { token } })
}

async function readHandover(desk: Desk, atMs: number): Promise<void> {
  const [note] = await desk.call<{ _id: string }[]>('operator2', atMs, 'GET', '/operator/handover')
  await desk.call('operator2', atMs, 'POST', `/operator/handover/${note?._id}/read`)
}

async function propose(desk: Desk, operator: string, atMs: number, json: object): Promise<void> {
  await desk.call(operator, atMs, 'POST', '/operator/proposals', { json })
}

async function findCredit(desk: Desk, who: string, atMs: number): Promise<string> {
  const path = `/operator/deposits?status=approved&query=${desk.find(who).email}`
  const [credit] = await desk.call<{ _id: string }[]>('operator2', atMs, 'GET', path)
  return credit?._id ?? ''
}
