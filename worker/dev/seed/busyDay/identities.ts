import { sum } from '../../../../src/contract/numbers.ts'
import { drawSamplePicture } from '../history.ts'
import type { Act } from './busyDay.ts'
import type { Desk } from './desk.ts'

interface SampleIdentity {
  readonly who: string
  readonly hoursAgo: number
  readonly end?: 'approved' | 'rejected'
  /** The subject of the picture. By default nobody else has it. */
  readonly picture?: string
  readonly assignedTo?: string
}

const APPROVED = [
  ['anna', 209],
  ['beto', 179],
  ['chiara', 159],
  ['daan', 149],
  ['elsa', 119],
  ['felix', 99],
  ['greta', 89],
  ['hale', 59],
  ['ines', 44],
  ['jan', 29],
  ['kaisa', 24],
  ['liam', 23],
] as const

// 25: 12 approved, 1 rejected, 12 wait.
const IDENTITIES: readonly SampleIdentity[] = [
  ...APPROVED.map(([who, daysAgo]) => ({ who, hoursAgo: daysAgo * 24, end: 'approved' }) as const),
  { who: 'mara', hoursAgo: 14.5 * 24, end: 'rejected' },
  { who: 'mara', hoursAgo: 14 * 24 },
  { who: 'nils', hoursAgo: 12 * 24 },
  { who: 'olga', hoursAgo: 8 * 24 },
  { who: 'piet', hoursAgo: 5 * 24 },
  { who: 'rosa', hoursAgo: 4 * 24 },
  { who: 'sami', hoursAgo: 3 * 24 },
  // The same picture of two people.
  { who: 'tess', hoursAgo: 50, picture: 'two people' },
  { who: 'ugo', hoursAgo: 46, picture: 'two people' },
  { who: 'vera', hoursAgo: 30 },
  { who: 'wim', hoursAgo: 26 },
  { who: 'xenia', hoursAgo: 5, assignedTo: 'operator2' },
  { who: 'yuri', hoursAgo: 1 },
]

/** The data on a sample passport, made up from its subject. One has expired. */
function createSampleData(subject: string, atMs: number) {
  const number = sum([...subject].map((letter, place) => letter.charCodeAt(0) * 31 ** (place % 5)))
  const year = new Date(atMs).getUTCFullYear()
  const day = `${String((number % 12) + 1).padStart(2, '0')}-${String((number % 28) + 1).padStart(2, '0')}`
  return {
    documentNumber: `${subject.slice(0, 1).toUpperCase()}${String(number % 100_000_000).padStart(8, '0')}`,
    bornOn: `${1955 + (number % 45)}-${day}`,
    expiresOn: `${subject === 'piet' ? year - 1 : year + 2 + (number % 6)}-${day}`,
  }
}

/** Identity documents, and what operators did with them. */
export function listIdentityActs(desk: Desk): Act[] {
  return IDENTITIES.flatMap(({ who, hoursAgo, end, assignedTo, picture = who }): Act[] => {
    let id = ''
    let sample: ReturnType<typeof createSampleData> | undefined
    const act = (operator: string, verb: string, build: () => object) => async (atMs: number) => {
      await desk.call(operator, atMs, 'GET', `/operator/kyc/${id}/document`)
      await desk.call(operator, atMs, 'POST', `/operator/kyc/${id}/${verb}`, { json: build() })
    }
    return [
      [
        hoursAgo,
        async (atMs) => {
          const line = picture === who ? desk.find(who).name : `Number of ${picture}`
          sample = createSampleData(picture, atMs)
          const drawn = drawSamplePicture(
            'Sample passport',
            line,
            `Number ${sample.documentNumber}`,
            `Born ${sample.bornOn}`,
            `Expires ${sample.expiresOn}`,
          )
          const image = new Blob([drawn], { type: 'image/svg+xml' })
          await desk.call(who, atMs, 'POST', '/kyc', { form: { document: 'Passport', image } })
          const sent = await desk.call<{ _id: string }[]>(who, atMs, 'GET', '/kyc')
          id = sent[0]?._id ?? ''
        },
      ],
      ...(end === undefined
        ? []
        : [
            [
              hoursAgo - 2,
              end === 'approved'
                ? act('operator', 'approve', () => ({
                    riskReason: 'Compared with the person in a video call.',
                    documentName: desk.find(who).name,
                    ...sample,
                  }))
                : act('operator', 'reject', () => ({ reason: 'The picture is blurred.' })),
            ] as const,
          ]),
      ...(assignedTo === undefined
        ? []
        : [
            [
              0.3,
              (atMs: number) =>
                desk.call(assignedTo, atMs, 'POST', `/operator/cases/${id}/assign`, {
                  json: { kind: 'kyc' },
                }),
            ] as const,
          ]),
    ]
  })
}
